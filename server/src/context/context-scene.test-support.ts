/** For tests: a project and a CODEX_HOME in a temporary directory of their own. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type ContextScene = Awaited<ReturnType<typeof openContextScene>>;

/** `write` takes paths that begin with `repo/` (a repository), `codex/` or anything else below `dir`. */
export async function openContextScene() {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'tscodex-context-')));
  const write = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
    return join(dir, path);
  };
  await mkdir(join(dir, 'codex'));
  await write('repo/.git/HEAD', 'ref: refs/heads/main\n');
  return {
    ...{ dir, write, codexHome: join(dir, 'codex'), repo: join(dir, 'repo') },
    writeSkill: (folder: string, name: string, description = `does ${name}`) =>
      write(
        `${folder}/SKILL.md`,
        `---\nname: ${name}\ndescription: ${description}\n---\n\nHow ${name} is done.\n`,
      ),
    removeAt: (path: string) => rm(join(dir, path), { recursive: true }),
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}
