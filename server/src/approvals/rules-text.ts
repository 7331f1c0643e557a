/** What a rules file says: `prefix_rule` and `host_executable`, as Codex reads them. */
import { createHash } from 'node:crypto';
import { basename, isAbsolute, join } from 'node:path';
import type { Rule } from '@tscodex/shared/permissions';
import { fits, type PrefixRule } from './prefix-rules.ts';
import { type Call, type Problem, readCalls, type Value } from './rule-calls.ts';
import { splitWords } from './split-words.ts';

/** `start`, `end`: where it stands in its file. */
export type FileRule = Rule & { start: number; end: number };

export type RulesText = {
  rules: FileRule[];
  hosts: Map<string, string[]>;
  problems: Problem[];
};

/** Functions of Codex's that say nothing about commands. */
const OTHERS = new Set(['network_rule']);

/**
 * Never throws. What cannot be read is a problem and allows nothing; what forbids or asks counts as far as it can
 * be read. `home`: for `~/`.
 */
export function readRules(file: string, text: string, home: string): RulesText {
  const { calls, problems } = readCalls(text);
  const hosts = new Map<string, string[]>();
  const rules: FileRule[] = [];
  for (const call of calls.filter(({ name }) => name === 'host_executable')) {
    const host = readHost(call, home);
    if ('message' in host) problems.push(host);
    else hosts.set(host.name, host.paths);
  }
  for (const call of calls) {
    if (call.name === 'host_executable' || OTHERS.has(call.name)) continue;
    const { rule, problem } = readRule(call, hosts);
    if (problem !== null) problems.push({ line: call.line, message: problem });
    if (rule === null || (rule.decision === 'allow' && (problem !== null || call.isDoubtful))) continue;
    const { start, end, line } = call;
    const id = createHash('sha256')
      .update(`${file}\0${start}\0${text.slice(start, end)}`)
      .digest('hex');
    rules.push({ id: id.slice(0, 16), ...rule, file, line, start, end });
  }
  return { rules, hosts, problems: problems.sort((a, b) => a.line - b.line) };
}

/** In the order of `prefix_rule`'s parameters. */
const PARAMETERS = ['pattern', 'decision', 'match', 'not_match', 'justification'];
/** Who reviews a prompt: here it is always a person. */
const IGNORED = 'reviewer';

function readRule(
  call: Call,
  hosts: RulesText['hosts'],
): { rule: PrefixRule | null; problem: string | null } {
  if (call.name !== 'prefix_rule') return { rule: null, problem: `${call.name} is not known here` };
  const arg = (name: string) => call.args.get(name) ?? call.args.get(String(PARAMETERS.indexOf(name)));
  const pattern = readPattern(arg('pattern'));
  if (typeof pattern === 'string') return { rule: null, problem: pattern };
  const decision = arg('decision') ?? 'allow';
  if (decision !== 'allow' && decision !== 'prompt' && decision !== 'forbidden')
    return { rule: null, problem: 'decision must be "allow", "prompt" or "forbidden"' };
  const justification = arg('justification');
  const words = typeof justification === 'string' && justification.trim() !== '' ? { justification } : {};
  const rule: PrefixRule = { pattern, decision, ...words };
  const unknown = [...call.args.keys()].find((key) => !isParameter(key));
  if (unknown !== undefined) return { rule, problem: `${unknown} is not known here` };
  if (justification !== undefined && !('justification' in words))
    return { rule, problem: 'justification must be a text that is not empty' };
  return { rule, problem: examplesProblem(rule, arg('match'), arg('not_match'), hosts) };
}

function isParameter(key: string): boolean {
  return key === IGNORED || PARAMETERS.includes(key) || PARAMETERS[Number(key)] !== undefined;
}

function readPattern(value: Value | undefined): Rule['pattern'] | string {
  if (!Array.isArray(value) || value.length === 0) return 'pattern must be a list of words';
  const pattern: Rule['pattern'] = [];
  for (const element of value) {
    const words = textsOf(Array.isArray(element) ? element : [element]);
    const [first, ...more] = words ?? [];
    if (words === null || first === undefined)
      return 'pattern must hold words, and lists of words to choose from';
    pattern.push(more.length > 0 ? words : first);
  }
  return pattern;
}

function textsOf(values: readonly Value[]): string[] | null {
  const texts = values.filter((value) => typeof value === 'string');
  return texts.length === values.length ? texts : null;
}

/** The examples are the rule's own tests. */
function examplesProblem(
  { pattern }: PrefixRule,
  match: Value | undefined,
  notMatch: Value | undefined,
  hosts: RulesText['hosts'],
): string | null {
  for (const [examples, wanted] of [
    [match ?? [], true],
    [notMatch ?? [], false],
  ] as const) {
    if (!Array.isArray(examples)) return 'match and not_match must be lists of commands';
    for (const example of examples) {
      const words =
        typeof example === 'string' ? splitWords(example) : Array.isArray(example) ? textsOf(example) : null;
      if (words === null || words.length === 0) return 'an example in match or not_match is no command';
      if (fitsExample(pattern, words, hosts) !== wanted)
        return `its example ${JSON.stringify(words.join(' '))} ${wanted ? 'does not match' : 'matches'}`;
    }
  }
  return null;
}

/** As Codex tests them: a program in any place is meant by its name, unless a host names its places. */
function fitsExample(pattern: Rule['pattern'], words: string[], hosts: RulesText['hosts']): boolean {
  const [program = '', ...rest] = words;
  if (fits(pattern, words)) return true;
  const name = basename(program);
  return (
    isAbsolute(program) && (hosts.get(name)?.includes(program) ?? true) && fits(pattern, [name, ...rest])
  );
}

function readHost(call: Call, home: string): { name: string; paths: string[] } | Problem {
  const { line } = call;
  const name = call.args.get('name') ?? call.args.get('0');
  const paths = call.args.get('paths') ?? call.args.get('1');
  const unknown = [...call.args.keys()].find((key) => !['name', 'paths', '0', '1'].includes(key));
  if (unknown !== undefined) return { line, message: `${unknown} is not known here` };
  if (typeof name !== 'string' || name === '' || name.includes('/'))
    return { line, message: 'name must be the name of a program' };
  const texts = Array.isArray(paths) ? textsOf(paths) : null;
  if (texts === null) return { line, message: 'paths must be a list of paths' };
  const places = texts.map((path) => (path.startsWith('~/') ? join(home, path.slice(2)) : path));
  const wrong = places.find((path) => !isAbsolute(path) || basename(path) !== name);
  if (wrong !== undefined)
    return { line, message: `${wrong} is no absolute path of a program named ${name}` };
  return { name, paths: places };
}
