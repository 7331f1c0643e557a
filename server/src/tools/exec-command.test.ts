import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandScene } from './command-scene.ts';

let scene: CommandScene;
beforeEach(() => {
  scene = new CommandScene();
});
afterEach(() => scene.close());

test('a command is asked for, runs, and is shown with its output and end', async () => {
  const { output, success } = await scene.exec({ cmd: 'echo out; echo err >&2', justification: 'to see' });
  expect(success).toBe(true);
  expect(output).toMatch(
    /^Chunk ID: .{6}\nWall time: .* seconds\nProcess exited with code 0\nOriginal token count: 2\nOutput:\nout\nerr\n$/,
  );
  expect(scene.asked).toEqual([
    { what: 'command', command: 'echo out; echo err >&2', cwd: scene.cwd, reason: 'to see', sandbox: 'none' },
  ]);
  expect(scene.events.map(({ type }) => type)).toEqual([
    'item.started',
    ...scene.events.slice(1, -1).map(() => 'item.delta'),
    'item.completed',
  ]);
  expect(scene.shown()).toMatchObject({
    type: 'commandExecution',
    status: 'completed',
    command: 'echo out; echo err >&2',
    cwd: scene.cwd,
    output: 'out\nerr\n',
    outputBytes: 8,
    truncated: false,
    exitCode: 0,
    durationMs: expect.any(Number),
    completedAt: expect.any(String),
    sandbox: 'none',
  });
});

test('a failure is told by its code', async () => {
  const { output, success } = await scene.exec({ cmd: 'no-such-program' });
  expect(success).toBe(false);
  expect(output).toMatch(/exited with code 127\n[\s\S]*no-such-program: command not found/);
  expect(scene.shown()).toMatchObject({ status: 'failed', exitCode: 127 });
});

test('a declined command never runs', async () => {
  scene.answer = async () => ({ allowed: false, reason: 'not here' });
  const { output, success } = await scene.exec({ cmd: 'touch made' });
  expect([output, success]).toEqual(['This command was declined by the user. They say: not here', false]);
  expect(scene.shown()).toMatchObject({ status: 'declined', output: '' });
  expect(() => readFileSync(join(scene.cwd, 'made'))).toThrow(/ENOENT/);
});

test('of a command that a rule forbids people read why, as the model does', async () => {
  scene.judgement = { ...scene.judgement, rule: 'forbidden', justification: 'use jj' };
  const { output } = await scene.exec({ cmd: 'git push' });
  expect(output).toContain('use jj.');
  expect(scene.shown()).toMatchObject({ status: 'declined', output });
});

test.each([
  [{ cmd: ' ' }, /exec_command: .*the command is empty/s],
  [{ cmd: 'a\0b' }, /NUL/],
  [{ cmd: `# ${'é'.repeat(64 * 1024)}` }, /longer than 128 KiB; put it into a file/],
  [{ cmd: 'true', justification: 'x'.repeat(4097) }, /longer than 4096 characters; one sentence/],
  [{}, /cmd/],
])('unfit arguments run nothing: %j', async (args, message) => {
  const { output, success } = await scene.exec(args);
  expect(output).toMatch(message);
  expect([success, scene.events]).toEqual([false, []]);
});

test('a working directory that is none is named, and nobody is asked', async () => {
  const { output } = await scene.exec({ cmd: 'ls', workdir: 'nowhere' });
  expect(output).toBe(
    `exec_command: the working directory ${scene.cwd}/nowhere does not exist; nothing was run`,
  );
  writeFileSync(join(scene.cwd, 'file'), '');
  expect((await scene.exec({ cmd: 'ls', workdir: 'file' })).output).toContain('is not a directory');
  expect(scene.asked).toEqual([]);
  expect(scene.shown()).toMatchObject({
    status: 'failed',
    output: expect.stringContaining('is not a directory'),
  });
});

test.each([
  [{ shell: 'sh' }, "sh -c 'echo '\\''ok'\\'''"],
  [{ login: true }, "bash -lc 'echo '\\''ok'\\'''"],
])('another way to run it is part of what a person allows: %j', async (way, command) => {
  expect((await scene.exec({ cmd: "echo 'ok'", ...way })).output).toMatch(/Output:\nok\n$/);
  expect(scene.asked).toMatchObject([{ command }]);
  expect(scene.grants).toEqual([[`command:${JSON.stringify([scene.cwd, command, false, []])}`]]);
  expect(scene.shown()).toMatchObject({ command, exitCode: 0 });
});

test.each([false, true])(
  'a directory that another took the place of while a person was asked (terminal: %s)',
  async (tty) => {
    for (const name of ['build', 'outside']) mkdirSync(join(scene.cwd, name));
    scene.answer = async () => {
      renameSync(join(scene.cwd, 'build'), join(scene.cwd, 'moved'));
      symlinkSync('outside', join(scene.cwd, 'build'));
      return { allowed: true, scope: 'once' };
    };
    const { output, success } = await scene.exec({ cmd: 'touch ran', workdir: 'build', tty });
    expect(success).toBe(false);
    expect(output).toContain(`${join(scene.cwd, 'build')}: another directory is there`);
    expect(readdirSync(join(scene.cwd, 'outside'))).toEqual([]);
  },
);

test('nothing but a shell runs it', async () => {
  writeFileSync(join(scene.cwd, 'evil'), '#!/bin/sh\necho evil\n', { mode: 0o755 });
  const { output, success } = await scene.exec({ cmd: 'ls', shell: './evil' });
  expect(output).toMatch(/^exec_command: .*"bash"\|"sh"\|"zsh"/s);
  expect([success, scene.asked, scene.events]).toEqual([false, [], []]);
});

test('the shell that runs what is allowed is the system\u2019s, wherever PATH leads first', async () => {
  for (const name of ['bash', 'sh'])
    writeFileSync(join(scene.cwd, name), '#!/bin/sh\necho evil\n', { mode: 0o755 });
  scene.env = { ...scene.env, PATH: `${scene.cwd}:${scene.env.PATH}` };
  for (const shell of ['bash', 'sh'])
    expect((await scene.exec({ cmd: 'echo hi', shell })).output).toMatch(/Output:\nhi\n$/);
});

test('a shell that is missing is named', async () => {
  const { output } = await scene.exec({ cmd: 'ls', shell: 'zsh' });
  expect(output).toMatch(/^exec_command: \/\S*\/zsh could not be started/);
  expect(scene.shown().status).toBe('failed');
});

test('a command that takes long goes on, is listed, and completes its item when it ends', async () => {
  const cmd = 'mkfifo gate; echo up; read -r word < gate; echo "got $word"; exit 4';
  const id = await scene.running(cmd, 'up\n');
  expect(scene.shown()).toMatchObject({ status: 'inProgress', processId: String(id) });
  expect(scene.background).toMatchObject([{ processId: String(id), itemId: 'item', command: cmd }]);
  writeFileSync(join(scene.cwd, 'gate'), 'it\n');
  await scene.processes.get(String(id))?.exited;
  expect(scene.shown()).toMatchObject({ status: 'failed', exitCode: 4, output: 'up\ngot it\n' });
  expect(scene.background).toEqual([]);
});

test('an interruption ends the command and says so', async () => {
  const call = scene.exec({ cmd: 'echo up; sleep 300; echo not reached', yield_time_ms: 30_000 });
  await scene.eventually(() => expect(scene.shown()?.output).toBe('up\n'));
  scene.stop.abort(new Error('stopped by a person'));
  await expect(call).rejects.toThrow('stopped by a person');
  expect(scene.shown()).toMatchObject({ status: 'interrupted', output: 'up\n', exitCode: null });
});

test('an interruption while a person is asked', async () => {
  const { signal } = scene.stop;
  scene.answer = () =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const call = scene.exec({ cmd: 'touch made' });
  await scene.eventually(() => expect(scene.asked).toHaveLength(1));
  scene.stop.abort(new Error('stopped by a person'));
  await expect(call).rejects.toThrow('stopped by a person');
  expect(scene.shown().status).toBe('interrupted');
});

test.each([
  ['seq 1 300000', /Output:\n1\n2\n[\s\S]*tokens truncated…[\s\S]*\n300000\n$/],
  [
    "head -c 5000000 /dev/zero | tr '\\0' 'x'; echo; echo TAIL",
    /Output:\nxxx[\s\S]*tokens truncated…x+\nTAIL\n$/,
  ],
  ["for i in $(seq 1 20000); do printf '\\r%d%%' $i; done; echo; echo DONE", /Output:\n20000%\nDONE\n$/],
])('of a flood the model gets both ends, bounded (O-D3): %s', async (cmd, expected) => {
  const { output } = await scene.exec({ cmd, yield_time_ms: 30_000 });
  expect(output).toMatch(expected);
  expect(Buffer.byteLength(output)).toBeLessThan(41_000);
});

test('a patch through the shell is a patch (O-A6)', async () => {
  const patch = '*** Begin Patch\n*** Add File: x2.txt\n+cost is $HOME\n*** End Patch';
  expect((await scene.exec({ cmd: `apply_patch <<"EOF"\n${patch}\nEOF` })).success).toBe(true);
  expect(readFileSync(join(scene.cwd, 'x2.txt'), 'utf8')).toBe('cost is $HOME\n');
  await scene.exec({ cmd: 'mkdir sub' });
  await scene.exec({ cmd: `cd sub && apply_patch <<'END'\n${patch.replace('x2', 'x4')}\nEND\n` });
  expect(readFileSync(join(scene.cwd, 'sub/x4.txt'), 'utf8')).toBe('cost is $HOME\n');
  expect(scene.asked.map(({ what }) => what)).toEqual(['patch', 'command', 'patch']);
});
