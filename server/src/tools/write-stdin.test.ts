import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandScene } from './command-scene.ts';

let scene: CommandScene;
beforeEach(() => {
  scene = new CommandScene();
});
afterEach(() => scene.close());

/** Long enough for a command that ends to end. */
const PATIENT = { yield_time_ms: 30_000 };

test('typing into a terminal asks with what is typed and returns what came', async () => {
  const command = 'read -p "name? " n; echo "got $n"; exit 3';
  const id = await scene.running(command, 'name? ', { tty: true });
  const { output } = await scene.type({ session_id: id, chars: 'x\n', ...PATIENT });
  expect(output).toMatch(
    /^Chunk ID: .{6}\nWall time: .*\nProcess exited with code 3\n.*\nOutput:\n.*got x\n$/s,
  );
  expect(scene.asked.at(-1)).toEqual({
    what: 'command',
    command: `type "x\\n" into: ${command}`,
    cwd: scene.cwd,
    sandbox: 'none',
  });
  expect(scene.grants.at(-1)).toEqual([]);
  expect(scene.shown()).toMatchObject({ status: 'failed', exitCode: 3 });
});

test('what a person declines is not typed; Ctrl-C needs nobody', async () => {
  const id = await scene.running('echo up; sleep 300', 'up\r\n', { tty: true });
  scene.answer = async () => ({ allowed: false });
  expect(await scene.type({ session_id: id, chars: 'rm -rf /\n' })).toEqual({
    output: 'write_stdin: This input was declined by the user, without a reason.',
    success: false,
  });
  const { output } = await scene.type({ session_id: id, chars: '\u0003', ...PATIENT });
  expect(output).toContain('Process exited with code 130');
  expect(scene.asked).toHaveLength(2);
});

test('a command that goes on is told as running, with what came since the last look', async () => {
  const id = await scene.running('echo up; cat', 'up\r\n', { tty: true });
  const { output } = await scene.type({ session_id: id, chars: 'a\n' });
  expect(output).toContain(`Process running with session ID ${id}\n`);
  const rest = await scene.type({ session_id: id, chars: '\u0004', ...PATIENT });
  expect((output + rest.output).match(/^a$/gm)).toHaveLength(2);
  expect(rest.output).toContain('Process exited with code 0');
});

test('a line that a terminal would cut is warned about', async () => {
  const id = await scene.running('echo up; cat', 'up\r\n', { tty: true });
  const { output } = await scene.type({ session_id: id, chars: `${'x'.repeat(4096)}\n` });
  expect(output).toMatch(/^Warning: a terminal cuts lines after 4095 bytes/);
});

test('what nobody reads is refused from some point on, and says how much waits', async () => {
  const id = await scene.running('stty raw -echo; echo up; exec sleep 300', 'up\n', { tty: true });
  const chars = 'x'.repeat(60_000);
  // the terminal itself holds up to 64 KiB, and takes its time
  const calls = [1, 2, 3].map(() => scene.type({ session_id: id, chars }));
  const { output, success } = (await Promise.all(calls))[2] as Awaited<(typeof calls)[2]>;
  expect(success).toBe(false);
  expect(output).toMatch(
    /^write_stdin: nothing was typed: \d+ bytes .* at most 65536 can; wait .*, or stop it\.$/,
  );
});

test('without a terminal there is nothing to type into, but Ctrl-C works', async () => {
  const cmd = 'trap "echo cut; exit 9" INT; echo up; while :; do sleep 0.05; done';
  const id = await scene.running(cmd, 'up\n');
  expect(await scene.type({ session_id: id, chars: 'x\n' })).toEqual({
    output:
      'write_stdin: it has no terminal and reads nothing; start it again with exec_command and tty: true.',
    success: false,
  });
  const { output } = await scene.type({ session_id: id, chars: '\u0003', ...PATIENT });
  expect(output).toMatch(/exited with code 9\n.*cut\n$/s);
});

test('a poll ends early for a steer', async () => {
  const id = await scene.running('echo up; sleep 300', 'up\n');
  const poll = scene.type({ session_id: id, yield_time_ms: 300_000 });
  await scene.eventually(() => expect(scene.steer).toBeDefined());
  scene.steer?.();
  expect((await poll).output).toContain(`Process running with session ID ${id}\n`);
});

test('a poll does not wait where a steer waits already', async () => {
  const id = await scene.running('echo up; sleep 300', 'up\n');
  scene.steerWaiting = true;
  const poll = await scene.type({ session_id: id, yield_time_ms: 300_000 });
  expect(poll).toMatchObject({
    output: expect.stringContaining(`Process running with session ID ${id}\n`),
    success: true,
  });
  expect(scene.steer).toBeUndefined();
});

test('a poll ends early when the command does, and its end can be read again', async () => {
  const id = await scene.running('echo up; sleep 1; echo over', 'up\n');
  const poll = { session_id: id, yield_time_ms: 300_000 };
  expect((await scene.type(poll)).output).toMatch(/exited with code 0\n.*Output:\n(up\n)?over\n$/s);
  expect((await scene.type(poll)).output).toMatch(/exited with code 0\n.*Output:\n$/s);
});

test('a session that does not exist', async () => {
  const id = await scene.running('echo up; sleep 300', 'up\n');
  expect(await scene.type({ session_id: 7 })).toEqual({
    output:
      'write_stdin: there is no session 7: it has ended, or the server was restarted. ' +
      `Running: ${id} (echo up; sleep 300).`,
    success: false,
  });
});
