/** What git is told by its environment where a rule lets it out of the sandbox. */

/** A directory among the files is a repository only where somebody says so. */
const ALWAYS = { 'safe.bareRepository': 'explicit' };

/** Programs that a repository can name for commands that only show: without them they show the same. */
const READING = { 'core.fsmonitor': 'false', 'core.hooksPath': '/dev/null' };

/** `reads`: the commands only show what is in the repository. */
export function gitEnvironment(
  env: Record<string, string>,
  { reads }: { reads: boolean },
): Record<string, string> {
  const settings = Object.entries(reads ? { ...ALWAYS, ...READING } : ALWAYS);
  const count = Number(env.GIT_CONFIG_COUNT ?? 0);
  const added = settings.flatMap(([key, value], n) => [
    [`GIT_CONFIG_KEY_${count + n}`, key],
    [`GIT_CONFIG_VALUE_${count + n}`, value],
  ]);
  return { ...env, ...Object.fromEntries(added), GIT_CONFIG_COUNT: String(count + settings.length) };
}
