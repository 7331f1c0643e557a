/** Commands that leave something behind, and commands that flood. */
import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import type { CommandExecution } from '@tscodex/shared/items';
import type { SessionState } from '@tscodex/shared/session-state';
import { FULL_ACCESS } from '../support/browser-stage.ts';
import { answered, lastOutput } from '../support/conversation.ts';
import type { FakeModel } from '../support/fake-model.ts';
import { processes, uniqueSeconds } from '../support/processes.ts';
import { type Scene, test } from '../support/stage.ts';

const MIB = 1024 * 1024;

/** Lets the model run a command and returns what it was told of it. */
async function run(cmd: string, model: FakeModel, { server, session }: Scene, more: object = {}) {
  model.answer([{ call: 'exec_command', args: { cmd, ...more } }]);
  await server.send(session, 'run it');
  const state = await server.idle(session);
  const item = commands(state).at(-1) as CommandExecution;
  return { output: lastOutput(model.requests.at(-1)), item };
}

function commands({ items }: SessionState): CommandExecution[] {
  return items.filter((item) => item.type === 'commandExecution');
}

test('O-D1: a command that leaves a child behind is over when its shell is', async ({ model, open }) => {
  const scene = await open({ toml: FULL_ACCESS });
  const { server, session } = scene;
  const seconds = uniqueSeconds();
  const sleeps = [0, 1, 2, 3].map((n) => `sleep ${seconds + n}`);
  const started = [
    `${sleeps[0]} & echo started`,
    `setsid ${sleeps[1]} & echo started`,
    `(${sleeps[2]} >/dev/null 2>&1 &) ; echo started`,
    `nohup ${sleeps[3]} >/dev/null & echo started`,
  ];
  for (const cmd of started) {
    const { output, item } = await run(cmd, model, scene);
    expect(output).toMatch(/exited with code 0[\s\S]*started/);
    expect(item).toMatchObject({
      status: 'completed',
      exitCode: 0,
      output: expect.stringContaining('started'),
    });
    // a wait for the yield time would be ten seconds
    expect(item.durationMs).toBeLessThan(9_000);
  }
  expect((await run('echo next', model, scene)).output).toContain('next');
  await server.api('DELETE', `api/sessions/${session}`);
  for (const sleep of sleeps.filter((_, n) => n !== 1)) await expect.poll(() => processes(sleep)).toEqual([]);
  for (const pid of processes(sleeps[1] ?? '')) process.kill(pid);
});

test('O-D1: interrupting ends the whole group of a command in the foreground', async ({ model, open }) => {
  const { server, session } = await open({ toml: FULL_ACCESS });
  const sleep = `sleep ${uniqueSeconds()}`;
  model.answer([{ call: 'exec_command', args: { cmd: `bash -c '${sleep} & ${sleep}'` } }]);
  await server.send(session, 'run it');
  await expect.poll(() => processes(sleep).length).toBe(2);
  await server.api('POST', `api/sessions/${session}/interrupt`);
  const state = await server.idle(session);
  expect(processes(sleep)).toEqual([]);
  expect(commands(state)).toMatchObject([{ status: 'interrupted' }]);
});

const floods: { cmd: string; holds: RegExp[]; output: number; lines?: number }[] = [
  { cmd: 'yes | head -c 300000000', holds: [/exited with code 0/, /y\ny\n/], output: 300_000_000 },
  { cmd: 'seq 1 300000', holds: [/exited with code 0/, /\n1\n2\n3\n/, /\n300000/], output: 1_988_895 },
  {
    cmd: "head -c 5000000 /dev/zero | tr '\\0' 'x'; echo; echo TAIL",
    holds: [/exited with code 0/, /xxxx/, /\nTAIL/],
    output: 5_000_006,
  },
  {
    cmd: "for i in $(seq 1 20000); do printf '\\r%d%%' $i; done; echo; echo DONE",
    holds: [/exited with code 0/, /20000%/, /\nDONE/],
    output: 128_900,
    // the bar is what it became, not its 20,000 steps
    lines: 20,
  },
];

test('O-D3: floods cost the server bounded memory, and the model gets both ends', async ({ model, open }) => {
  const scene = await open({ toml: FULL_ACCESS });
  await run('true', model, scene);
  for (const { cmd, holds, output, lines = Number.POSITIVE_INFINITY } of floods) {
    const before = await peakMemory(scene);
    const got = await run(cmd, model, scene, { yield_time_ms: 30_000 });
    if (before !== null) expect(((await peakMemory(scene)) ?? 0) - before).toBeLessThan(100 * MIB);
    for (const part of holds) expect(got.output).toMatch(part);
    expect(got.output.length).toBeLessThan(60_000);
    expect(got.output.split('\n').length).toBeLessThan(lines);
    expect(got.item).toMatchObject({ status: 'completed', exitCode: 0, outputBytes: output });
    expect(got.item.output.length).toBeLessThanOrEqual(64 * 1024);
  }
});

test('O-D3: during an endless flood other sessions answer, and it is ended at once', async ({
  model,
  open,
}) => {
  const { server, session } = await open({ toml: FULL_ACCESS });
  const other = await server.newSession();
  model.answer([{ call: 'exec_command', args: { cmd: 'yes' } }]);
  await server.send(session, 'flood');
  await server.until(session, (state) => (commands(state)[0]?.outputBytes ?? 0) > 10 * MIB);
  const asked = performance.now();
  await server.send(other, 'hello');
  expect(answered(await server.idle(other))).toEqual(['OK.']);
  const took = performance.now() - asked;
  // the flood goes on all the while
  expect(commands(await server.state(session))[0]?.status).toBe('inProgress');
  expect(took).toBeLessThan(10_000);

  const stopped = performance.now();
  await server.api('POST', `api/sessions/${session}/interrupt`);
  const state = await server.idle(session);
  expect(performance.now() - stopped).toBeLessThan(10_000);
  expect(commands(state)[0]).toMatchObject({ status: 'interrupted', truncated: true });
  await server.send(session, 'hello');
  expect(answered(await server.idle(session))).toEqual(['OK.']);
});

/** Bytes the server has held at the most; null where the system does not tell. */
async function peakMemory({ server }: Scene): Promise<number | null> {
  try {
    const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  } catch {
    return null; // no Linux
  }
}
