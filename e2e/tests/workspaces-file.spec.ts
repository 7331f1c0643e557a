/**
 * workspaces.json under a running server: hands in the file, people at the page, a crash, a full disk. Nothing that
 * somebody has written is lost, and the file is whole at any moment.
 */
import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { ServerFrame } from '@tscodex/shared/socket';
import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { Box, type RunningServer } from '../support/server.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { SocketClient } from '../support/socket-client.ts';

type Entry = { id: string; work_dir: string; name?: string };
type Answer = { workspace: WorkspaceSummary };
type Refusal = { error: { code: string; message: string; details?: unknown } };

let box: Box;
let server: RunningServer;

test.beforeEach(async () => {
  box = await Box.make();
});
test.afterEach(async () => {
  await server.kill();
  await box.remove();
});

const start = async () => {
  server = await box.start();
};

const entries = (path = box.configPath): Entry[] => JSON.parse(readFileSync(path, 'utf8')).workspaces;
const ids = () => entries().map(({ id }) => id);

/** As most editors save: a new file in the place of the old one. */
function saveByHand(text: string): void {
  writeFileSync(`${box.configPath}~`, text);
  renameSync(`${box.configPath}~`, box.configPath);
}

function addByHand(id: string): void {
  saveByHand(JSON.stringify({ workspaces: [...entries(), { id, work_dir: box.workDir }] }));
}

const add = (name: string) => server.api<Answer>('POST', 'api/workspaces', { name, dir: box.workDir });

async function refusal(method: string, path: string, body?: unknown): Promise<[number, Refusal['error']]> {
  const response = await server.request(method, path, body);
  return [response.status, ((await response.json()) as Refusal).error];
}

function leftovers(dir = box.dir): string[] {
  return readdirSync(dir).filter((name) => name.endsWith('.tmp'));
}

test('a hand edit shows on open pages, and so does one that breaks the file', async () => {
  await start();
  const page = await SocketClient.connect(server);
  page.send({ type: 'overview' });
  type Overview = Extract<ServerFrame, { type: 'overview' }>;
  const shown = async (found: (overview: Overview) => boolean): Promise<Overview> => {
    for (;;) {
      const frame = await page.next();
      if (frame.type === 'overview' && found(frame)) return frame;
    }
  };
  await shown(({ workspaces }) => workspaces.map(({ id }) => id).join() === 'demo');

  addByHand('second');
  await shown(({ workspaces }) => workspaces.map(({ id }) => id).join() === 'demo,second');

  const whole = readFileSync(box.configPath, 'utf8');
  writeFileSync(box.configPath, '{"workspaces": [\n  {"id": ');
  const broken = await shown(({ problem }) => problem !== undefined);
  expect(broken.problem).toMatchObject({ code: 'workspaces.json', details: { line: 2, column: 10 } });
  expect(broken.problem?.message).toContain(`${box.configPath}:2:10: not valid JSON`);
  expect(broken.workspaces.map(({ id }) => id)).toEqual(['demo', 'second']);
  const [status, error] = await refusal('POST', 'api/workspaces', {});
  expect([status, error.code]).toEqual([409, 'workspaces.broken']);
  expect(error.message).toContain(`${box.configPath}:2:10`);
  expect(readFileSync(box.configPath, 'utf8')).toBe('{"workspaces": [\n  {"id": ');

  saveByHand(whole);
  await shown(({ problem }) => problem === undefined);
  page.close();
});

test('what is written by hand just before somebody adds, changes or deletes stays', async () => {
  await start();
  for (let round = 1; round <= 5; round++) {
    addByHand(`hand-${round}`);
    const { workspace } = await add(`page ${round}`);
    addByHand(`hand-${round}b`);
    const change = { revision: workspace.revision, name: `renamed ${round}` };
    await server.api('PATCH', `api/workspaces/${workspace.id}`, change);
    addByHand(`hand-${round}c`);
    if (round % 2 === 0) await server.api('DELETE', `api/workspaces/${workspace.id}`);
  }
  expect(ids()).toEqual([
    'demo',
    ...[1, 2, 3, 4, 5].flatMap((n) => [
      `hand-${n}`,
      ...(n % 2 === 0 ? [] : [`page-${n}`]),
      ...[`hand-${n}b`, `hand-${n}c`],
    ]),
  ]);
  expect(leftovers()).toEqual([]);
});

test('two people at once: all that is added comes in, one of two edits of an entry is told of the other', async () => {
  await start();
  const names = Array.from({ length: 20 }, (_, n) => `w${n}`);
  const added = await Promise.all(names.map(add));
  expect(added.map(({ workspace }) => workspace.name).sort()).toEqual([...names].sort());
  expect(ids().sort()).toEqual(['demo', ...names].sort());

  const [demo] = await server.workspaces();
  const edits = ['Ada', 'Bob'].map((who) =>
    server.request('PATCH', 'api/workspaces/demo', { revision: demo?.revision, name: `${who}'s` }),
  );
  const statuses = (await Promise.all(edits)).map(({ status }) => status);
  expect([...statuses].sort()).toEqual([200, 409]);
  expect(entries()[0]?.name).toBe(statuses[0] === 200 ? "Ada's" : "Bob's");

  const removals = await Promise.all([1, 2].map(() => server.request('DELETE', 'api/workspaces/w3')));
  expect(removals.map(({ status }) => status).sort()).toEqual([204, 404]);
});

test('killed at any moment of a write, the file is whole and has all that was acknowledged', async () => {
  const acknowledged: string[] = ['demo'];
  for (let round = 0; round < 3; round++) {
    await start();
    const first = add(`first-${round}`).then(({ workspace }) => acknowledged.push(workspace.id));
    const others = Array.from({ length: 24 }, (_, n) =>
      add(`r${round}-${n}`).then(({ workspace }) => acknowledged.push(workspace.id)),
    );
    const all = Promise.allSettled(others);
    await first;
    // another moment each round: so many more are there
    const enough = others.slice(0, round * 3);
    await Promise.all(enough);
    await server.kill('SIGKILL');
    await all;
    expect(ids()).toEqual(expect.arrayContaining(acknowledged));
  }
  await start();
  expect((await server.workspaces()).map(({ id }) => id)).toEqual(ids());
  expect((await server.workspaces()).every(({ problem }) => problem === undefined)).toBe(true);
});

test('a full disk and a write-protected one are told; the file stays whole and works again with room', async () => {
  const disk = SmallDisk.mount(join(box.dir, 'small'));
  test.skip(disk === null, 'mounting needs root');
  const { dir } = disk as SmallDisk;
  const path = join(dir, 'workspaces.json');
  const text = `${JSON.stringify([{ id: 'demo', work_dir: box.workDir }], null, 4)}\n`;
  writeFileSync(path, text);
  rmSync(box.configPath);
  symlinkSync(path, box.configPath);
  try {
    await start();
    disk?.fill();
    const [full, error] = await refusal('POST', 'api/workspaces', {
      name: 'x'.repeat(100),
      dir: box.workDir,
    });
    expect([full, error.code]).toEqual([503, 'workspaces.write']);
    expect(error.message).toContain(`cannot write ${box.configPath}: `);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(leftovers(dir)).toEqual([]);

    const [noRoom, directory] = await refusal('POST', 'api/workspaces', { dir: join(dir, 'deep', 'er') });
    expect([noRoom, directory.code]).toEqual([
      503,
      expect.stringMatching(/^workspace(s\.write|\.directory)$/),
    ]);
    expect(readdirSync(dir).sort()).toEqual(['ballast', 'workspaces.json']);

    disk?.makeRoom();
    await add('later');
    disk?.makeReadOnly();
    const [readOnly] = await refusal('DELETE', 'api/workspaces/later');
    expect(readOnly).toBe(503);
    expect((await server.workspaces()).map(({ id }) => id)).toEqual(['demo', 'later']);
  } finally {
    await server.kill();
    disk?.unmount();
  }
});
