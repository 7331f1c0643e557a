/** Images on their way from a message into the conversation, and from a tool to the people. */
import { writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Attachment, Item } from '@tscodex/shared/items';
import { v7 as uuid } from 'uuid';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GIF, png } from '../base/pictures.test-support.ts';
import type { ModelRequest } from '../model/client.ts';
import { calls, hangsAfter, type ScriptedAnswer, ScriptedModel, says } from '../model/scripted-model.ts';
import { readRollout } from '../session/rollout-reader.ts';
import { Attachments } from './attachments/attachments.ts';
import type { SessionRuntime } from './runtime.ts';
import { findSession } from './session-rows.ts';
import { message, openTestBox, type TestBox, Watcher } from './test-session.ts';

let box: TestBox;
let images: Attachments;
let loaded: SessionRuntime[];
beforeEach(async () => {
  box = await openTestBox();
  images = new Attachments(box.db, box.stateDir, 'w');
  loaded = [];
});
afterEach(async () => {
  for (const session of loaded) await session.unload('shutdown');
  expect(box.faults).toEqual([]);
  await box.remove();
});

async function load(id: string, model: ScriptedModel) {
  const session = await box.load(id, model);
  loaded.push(session);
  return session;
}

async function open(...answers: ScriptedAnswer[]) {
  const id = await box.create();
  const model = new ScriptedModel(...answers);
  const session = await load(id, model);
  return { id, model, session, watcher: new Watcher(session) };
}
const put = (bytes = png(30, 20), name = 'shot.png') =>
  images.receive(
    (async function* () {
      yield bytes;
    })(),
    name,
  );
const withImages = (text: string, ...attached: Attachment[]) => ({
  ...message(text),
  attachments: attached.map(({ id }) => id),
});
/** The image parts that a request carries, by message or output. */
const imagesIn = (request: ModelRequest | undefined) =>
  (request?.input ?? []).flatMap((item) => {
    const parts = 'content' in item ? item.content : 'output' in item ? item.output : [];
    if (!Array.isArray(parts)) return [];
    const found = parts.flatMap((part) => ('image_url' in part ? [part.image_url] : []));
    return found.length ? [found] : [];
  });
const url = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;
const sent = (items: readonly Item[]) => items.find((item) => item.type === 'userMessage');

test('a message with images: the model gets the bytes, people get what they are; both over a restart', async () => {
  const { id, model, session, watcher } = await open(says('Two pictures.'));
  const [one, two] = [await put(), await put(GIF, 'moves.gif')];
  await session.submit(withImages('what is this?', one, two, one), 'Ada');
  const state = await watcher.idle();
  expect(imagesIn(model.requests[0])).toEqual([[url(png(30, 20)), url(GIF, 'image/gif')]]);
  expect(sent(state.items)).toMatchObject({ text: 'what is this?', attachments: [one, two] });
  expect(state.title).toBe('what is this?');
  expect(JSON.stringify(watcher.events)).not.toContain('base64');
  await session.unload('shutdown');

  const again = new ScriptedModel(says('Still two.'));
  const after = await load(id, again);
  expect(sent(after.snapshot().state.items)).toMatchObject({ attachments: [one, two] });
  expect(JSON.stringify(after.snapshot())).not.toContain('base64');
  const next = new Watcher(after);
  await after.submit(message('and now?'), null);
  await next.until(({ items }) => items.some((item) => 'text' in item && item.text === 'Still two.'));
  expect(imagesIn(again.requests[0])).toEqual([[url(png(30, 20)), url(GIF, 'image/gif')]]);
});

test('the file is one that Codex lists and resumes: its own form, and where the images lie', async () => {
  const { id, session, watcher } = await open(says('ok'));
  const one = await put();
  await session.submit(withImages('', one), null);
  await watcher.idle();
  await session.unload('shutdown');
  const path = findSession(box.db, id)?.rolloutPath ?? '';
  const lines = (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.find(({ payload }) => payload.type === 'user_message')?.payload).toMatchObject({
    ...{ message: '', images: [], local_images: [images.path(one.id)] },
  });
  // the first speaks of the surroundings
  const [, said] = lines.filter(({ payload }) => payload.role === 'user');
  expect(said.payload.content.map((part: { type: string }) => part.type)).toEqual([
    'input_text',
    'input_image',
    'input_text',
  ]);
  expect((await readRollout(path))?.items[0]).toMatchObject({ text: '', attachments: [one] });
});

test('a message of images alone names no session; the first with words does', async () => {
  const { session, watcher } = await open(says('one'), says('two'));
  await session.submit(withImages('', await put()), null);
  expect((await watcher.idle()).title).toBeNull();
  await session.submit(message('the login form'), null);
  expect((await watcher.until(({ title }) => title !== null)).title).toBe('the login form');
  await watcher.idle();
});

test('a steer and what is queued keep their images while they wait, over a restart', async () => {
  const { id, session, watcher } = await open(hangsAfter('thinking'));
  await session.submit(message('begin'), null);
  await watcher.until(({ items }) => items.some((item) => item.type === 'agentMessage'));
  const [one, two] = [await put(), await put()];
  await session.submit(withImages('steer', one), null);
  await session.submit({ ...withImages('queue', two), mode: 'queue' }, null);
  expect(watcher.state?.waiting.map(({ attachments }) => attachments)).toEqual([[one], [two]]);
  await session.unload('shutdown');

  const model = new ScriptedModel(says('a'), says('b'), says('c'));
  const after = await load(id, model);
  const next = new Watcher(after);
  await next.until(({ items }) => items.some((item) => 'text' in item && item.text === 'b'));
  expect(imagesIn(model.requests.at(-1))).toEqual([[url(png(30, 20))], [url(png(30, 20))]]);
});

test('unknown images are refused, those of another workspace too, and nothing is sent', async () => {
  const { model, session, watcher } = await open();
  const elsewhere = await new Attachments(box.db, box.stateDir, 'other').keep(GIF, 'a.gif');
  for (const id of [uuid(), elsewhere.id])
    await expect(session.submit({ ...message('look'), attachments: [id] }, null)).rejects.toMatchObject({
      ...{ kind: 'notFound', code: 'image.unknown' },
    });
  expect(watcher.state?.waiting).toEqual([]);
  expect(model.requests).toEqual([]);
});

test('more than a line of the file holds is refused', async () => {
  const { session } = await open();
  const ids = await Promise.all([1, 2, 3, 4].map(() => put()));
  await box.db.write('UPDATE attachments SET bytes = 7000000');
  await expect(session.submit(withImages('look', ...ids), null)).rejects.toMatchObject({
    ...{ kind: 'tooLarge', code: 'image.tooMuch' },
  });
});

test('what waits together holds no more images than one message, however many messages come at once', async () => {
  const { session, watcher } = await open(hangsAfter('thinking'));
  await session.submit(message('begin'), null);
  await watcher.until(({ items }) => items.some((item) => item.type === 'agentMessage'));
  const images = await Promise.all([1, 2, 3, 4].map(() => put()));
  await box.db.write('UPDATE attachments SET bytes = ?', 8 * 1024 * 1024);
  const sent = await Promise.allSettled(
    images.map(({ id }) => session.submit({ ...message('look', 'queue'), attachments: [id] }, null)),
  );
  expect(sent.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  expect(sent[3]).toMatchObject({
    reason: { kind: 'tooMany', code: 'input.queue-full', message: expect.stringContaining('24 MiB') },
  });
  await session.submit(message('words alone', 'queue'), null);
  const [first] = watcher.state?.waiting ?? [];
  await session.withdrawInput(first?.id ?? '');
  await session.submit({ ...message('look', 'queue'), attachments: [images[3]?.id ?? ''] }, null);
  expect(watcher.state?.waiting).toHaveLength(4);
});

test('an image that was withdrawn is unsent again, unless another message shows it', async () => {
  const { session, watcher } = await open(hangsAfter('thinking'));
  const [one, two] = [await put(), await put()];
  await session.submit(withImages('begin', one), null);
  await watcher.until(({ items }) => items.some((item) => item.type === 'agentMessage'));
  const input = { ...withImages('look', one, two), mode: 'queue' as const };
  await session.submit(input, null);
  await session.withdrawInput(input.id);
  const used = ({ id }: Attachment) => box.db.read('SELECT used FROM attachments WHERE id = ?', id);
  expect([used(one), used(two)]).toEqual([[{ used: 1 }], [{ used: 0 }]]);
});

test('an image whose file somebody took away does not hold up the message', async () => {
  const { model, session, watcher } = await open(hangsAfter('thinking'), says('seen'));
  await session.submit(message('begin'), null);
  await watcher.until(({ items }) => items.some((item) => item.type === 'agentMessage'));
  const one = await put();
  await session.submit({ ...withImages('look', one), mode: 'queue' }, null);
  await rm(images.path(one.id));
  await session.interrupt(null);
  await watcher.idle();
  expect(JSON.stringify(model.requests[1]?.input)).toContain('could not be read any more');
});

test('view_image: the model gets the image as output, people a copy that outlives the file', async () => {
  const { model, session, watcher } = await open(
    says('', calls('view_image', { path: 'a.png' })),
    says('Grey.'),
  );
  writeFileSync(join(box.workDir, 'a.png'), png(30, 20));
  await session.submit(message('look at a.png'), null);
  const state = await watcher.idle();
  expect(imagesIn(model.requests[1])).toEqual([[url(png(30, 20))]]);
  const item = state.items.find(({ type }) => type === 'imageView');
  expect(item).toMatchObject({
    ...{ status: 'completed', path: join(box.workDir, 'a.png') },
    image: { name: 'a.png', mediaType: 'image/png', width: 30, height: 20 },
  });
  await rm(join(box.workDir, 'a.png'));
  const image = item?.type === 'imageView' ? item.image : undefined;
  expect(image && (await images.read(image))).toEqual(png(30, 20));
  expect(JSON.stringify(watcher.events)).not.toContain('base64');
});
