import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AgentsMdPlaces, agentsMd } from './agents-md.ts';
import { ContextFiles } from './context-files.ts';
import { type ContextScene, openContextScene } from './context-scene.test-support.ts';

let scene: ContextScene;
beforeEach(async () => {
  scene = await openContextScene();
});
afterEach(() => scene.remove());

/** As read in `repo/app` unless said otherwise, by somebody who may read what does not lie in `secret`. */
async function read(over: Partial<AgentsMdPlaces> = {}) {
  const { codexHome, repo, dir } = scene;
  await mkdir(join(repo, 'app'), { recursive: true });
  const files = {
    own: new ContextFiles(() => true),
    project: new ContextFiles(({ path }) => !path.startsWith(join(dir, 'secret'))),
  };
  const { text, problems } = await agentsMd({ codexHome, cwd: join(repo, 'app'), ...over }, files);
  const [head, rest] = text?.split('\n\n<INSTRUCTIONS>\n') ?? [];
  const short = (place: string) => place.replaceAll(dir, '');
  return {
    head: head && short(head),
    text: rest === undefined ? null : short(rest.replace(/\n<\/INSTRUCTIONS>$/, '')),
    problems: problems.map(({ path, why }) => short(`${path}: ${why}`)),
  };
}

test('the user, the file in CODEX_HOME, then the project from its root down to the working directory', async () => {
  await scene.write('codex/AGENTS.md', 'global\n');
  await scene.write('repo/AGENTS.md', '\nroot\n');
  await scene.write('repo/app/AGENTS.md', 'app');
  await scene.write('AGENTS.md', 'above the repository');
  expect(await read({ userInstructions: 'user' })).toEqual({
    head: '# AGENTS.md instructions for /repo/app',
    text: 'user\n\nglobal\n\n--- project-doc ---\n\nroot\n\napp',
    problems: [],
  });
});

test('an override counts in its folder; a blank one in CODEX_HOME is passed over, in a project it is not', async () => {
  await scene.write('codex/AGENTS.override.md', ' \n');
  await scene.write('codex/AGENTS.md', 'global');
  await scene.write('repo/AGENTS.override.md', 'override');
  await scene.write('repo/AGENTS.md', 'root');
  await scene.write('repo/app/AGENTS.override.md', '\n');
  await scene.write('repo/app/AGENTS.md', 'app');
  expect((await read()).text).toBe('global\n\n--- project-doc ---\n\noverride');
});

test('other names count where none of ours is there, and lead nowhere else', async () => {
  await scene.write('codex/CLAUDE.md', 'not here');
  await scene.write('repo/CLAUDE.md', 'root');
  await scene.write('repo/app/CLAUDE.md', 'no');
  await scene.write('repo/app/AGENTS.md', 'app');
  await scene.write('up.md', 'above');
  expect((await read({ fallbacks: ['', '..', '../up.md', '.', 'CLAUDE.md'] })).text).toBe('root\n\napp');
});

test('outside of a repository the working directory alone counts', async () => {
  await rm(join(scene.repo, '.git'), { recursive: true });
  await scene.write('repo/AGENTS.md', 'root');
  expect((await read()).text).toBeNull();
  await scene.write('repo/app/AGENTS.md', 'app');
  expect((await read()).text).toBe('app');
});

test('the directory that keeps the place of .git while commands run is no repository, the file of a worktree is one', async () => {
  await rm(join(scene.repo, '.git'), { recursive: true });
  await mkdir(join(scene.repo, 'app', '.git'), { recursive: true });
  await scene.write('.git', 'gitdir: /elsewhere\n');
  await scene.write('AGENTS.md', 'top');
  await scene.write('repo/app/AGENTS.md', 'app');
  expect((await read()).text).toBe('top\n\napp');
});

test('nobody says anything', async () => {
  await scene.write('codex/AGENTS.md', '\n');
  await scene.write('repo/AGENTS.md', '');
  expect(await read()).toEqual({ head: undefined, text: null, problems: [] });
});

test('5 MB are cut where the bound is, between characters, and both the model and people are told', async () => {
  await scene.write('repo/AGENTS.md', 'ä'.repeat(2_500_000));
  const { text, problems } = await read({ projectLimit: 1001 });
  expect(text?.split('\n\n')).toEqual([
    'ä'.repeat(500),
    expect.stringMatching(
      /^\[Cut here: the file \/repo\/AGENTS.md has 5000000 bytes, and the first 1001 are above/,
    ),
  ]);
  expect(problems).toEqual([expect.stringContaining('/repo/AGENTS.md: it has 5000000 bytes')]);
});

test('the bound is one for all files of the project, the outermost first; at 0 none is read', async () => {
  await scene.write('codex/AGENTS.md', 'global');
  await scene.write('repo/AGENTS.md', '123456');
  await scene.write('repo/app/AGENTS.md', 'abcdef');
  const some = await read({ projectLimit: 9 });
  expect(some.text).toContain('123456\n\nabc\n\n[Cut here');
  expect(some.problems).toHaveLength(1);
  const none = await read({ projectLimit: 6 });
  expect(none.text).toMatch(
    /123456\n\n\[Cut here: the file \/repo\/app\/AGENTS.md has 6 bytes, and the first 0/,
  );
  expect(await read({ projectLimit: 0 })).toMatchObject({ text: 'global', problems: [] });
});

test('what is no UTF-8 is replaced, and people are told', async () => {
  await scene.write('repo/AGENTS.md', Buffer.from([0x75, 0x73, 0x65, 0x20, 0xff, 0xfe]));
  const { text, problems } = await read();
  expect(text).toBe('use \ufffd\ufffd');
  expect(problems).toEqual([expect.stringContaining('/repo/AGENTS.md: what is no UTF-8')]);
});

test('a pipe, a folder, a device and a link to itself hold nobody up and are told', async () => {
  const { repo } = scene;
  execFileSync('mkfifo', [join(repo, 'AGENTS.md')]);
  await mkdir(join(repo, 'app', 'AGENTS.md'), { recursive: true });
  expect((await read()).problems).toEqual([
    '/repo/AGENTS.md: it is not a regular file; the agent does not know it',
    '/repo/app/AGENTS.md: it is a folder; the agent does not know it',
  ]);
  await rm(join(repo, 'AGENTS.md'));
  await symlink('/dev/zero', join(repo, 'AGENTS.md'));
  await rm(join(repo, 'app', 'AGENTS.md'), { recursive: true });
  await symlink('AGENTS.md', join(repo, 'app', 'AGENTS.md'));
  expect((await read()).problems).toEqual([
    '/repo/AGENTS.md: it is not a regular file; the agent does not know it',
    '/repo/app/AGENTS.md: it is a symbolic link that leads to itself; the agent does not know it',
  ]);
});

test('a link is followed where the commands may read what it leads to, and told where not', async () => {
  const { dir, repo } = scene;
  await scene.write('elsewhere/words.md', 'from elsewhere');
  await scene.write('secret/key', 'KEY');
  await symlink(join(dir, 'elsewhere', 'words.md'), join(repo, 'AGENTS.md'));
  await mkdir(join(repo, 'app'));
  await symlink('../../secret/key', join(repo, 'app', 'AGENTS.md'));
  expect(await read()).toMatchObject({
    text: 'from elsewhere',
    problems: [
      '/repo/app/AGENTS.md: the commands of this session may not read it; the agent does not know it',
    ],
  });
});
