// @vitest-environment happy-dom
import type { Attachment } from '@tscodex/shared/items';
import { expect, test, vi } from 'vitest';
import { ApiProblem } from '../api/http.ts';
import type { ImagePlace } from '../images/image-place.ts';
import { Pictures } from './pictures.ts';
import { ImageRefused } from './prepare-image.ts';

const memory = () => {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
};
const image = (name: string): Attachment => ({ id: `id-${name}`, name, mediaType: 'image/png', bytes: 3 });
const file = (name: string) => new File(['abc'], name, { type: 'image/png' });
const prepare = async (given: File) => {
  if (given.name.startsWith('bad')) throw new ImageRefused(`${given.name} is no image`);
  return { blob: given, name: given.name };
};
/** A server whose answers the test gives. */
function place() {
  const puts: { name: string; signal: AbortSignal; answer: (end: Attachment | Error) => void }[] = [];
  const put: ImagePlace['put'] = (_blob, name, { signal }) =>
    new Promise((resolve, reject) => {
      puts.push({ name, signal, answer: (end) => (end instanceof Error ? reject(end) : resolve(end)) });
    });
  return { puts, address: (id: string) => id, put };
}
const states = (pictures: Pictures) => pictures.all.map(({ name, state }) => `${name} ${state}`);
const eventually = (check: () => void) => vi.waitFor(check);

test('put up at once, each by itself; kept with its session as soon as the server has it', async () => {
  const storage = memory();
  const server = place();
  const pictures = new Pictures('s1', storage, prepare);
  pictures.add([file('a.png'), file('b.png')], server);
  expect(pictures.hindrance).toBe('wait');
  await eventually(() => expect(server.puts).toHaveLength(2));
  expect(storage.values.size).toBe(0);
  server.puts[1]?.answer(image('b.png'));
  await eventually(() => expect(states(pictures)).toEqual(['a.png uploading', 'b.png ready']));
  expect(new Pictures('s1', storage).all.map(({ name }) => name)).toEqual(['b.png']);
  expect(new Pictures('s2', storage).all).toEqual([]);
  server.puts[0]?.answer(image('a.png'));
  await eventually(() => expect(pictures.hindrance).toBeNull());
  expect(pictures.take()).toEqual([image('a.png'), image('b.png')]);
  expect([pictures.all, storage.values.size]).toEqual([[], 0]);
});

test('what failed can be tried again; what no server answered for is tried by itself', async () => {
  const server = place();
  const pictures = new Pictures('s1', memory(), prepare);
  pictures.add([file('a.png'), file('b.png')], server);
  await eventually(() => expect(server.puts).toHaveLength(2));
  server.puts[0]?.answer(new ApiProblem('network', 'no answer', 0));
  server.puts[1]?.answer(new ApiProblem('image.write', 'no room', 503));
  await eventually(() => expect(states(pictures)).toEqual(['a.png failed', 'b.png failed']));
  expect([pictures.hindrance, pictures.all[1]?.reason]).toEqual(['mend', 'no room']);
  pictures.retryUnreachable(server);
  await eventually(() => expect(server.puts.map(({ name }) => name)).toEqual(['a.png', 'b.png', 'a.png']));
  // a proxy that does not reach the server is no answer of the server's either
  server.puts[2]?.answer(new ApiProblem('http.unreadable', 'bad gateway', 502));
  await eventually(() => expect(states(pictures)).toEqual(['a.png failed', 'b.png failed']));
  pictures.retryUnreachable(server);
  await eventually(() => expect(server.puts).toHaveLength(4));
  pictures.retry(pictures.all[1]?.key ?? '', server);
  server.puts[3]?.answer(image('a.png'));
  server.puts[4]?.answer(image('b.png'));
  await eventually(() => expect(pictures.hindrance).toBeNull());
});

test('one that is removed stops on its way, and does not come back', async () => {
  const server = place();
  const pictures = new Pictures('s1', memory(), prepare);
  pictures.add([file('a.png')], server);
  await eventually(() => expect(server.puts).toHaveLength(1));
  pictures.remove(pictures.all[0]?.key ?? '');
  expect(server.puts[0]?.signal.aborted).toBe(true);
  server.puts[0]?.answer(image('a.png'));
  await Promise.resolve();
  expect(pictures.all).toEqual([]);
});

test('refused ones leave a sentence, at most eight are taken', async () => {
  const pictures = new Pictures('s1', memory(), prepare);
  pictures.add([file('bad.pdf')], place());
  await eventually(() => expect(pictures.state.getState().problem).toBe('bad.pdf is no image'));
  expect(pictures.all).toEqual([]);
  const many = Array.from({ length: 9 }, (_, n) => file(`${n}.png`));
  pictures.add(many, place());
  expect(pictures.state.getState().problem).toBe('A message takes 8 images.');
  expect(pictures.all).toHaveLength(8);
});

test('images move with the draft to the session it makes, before those that are there', () => {
  const storage = memory();
  new Pictures('s1', storage).putBack([image('old.png')]);
  const unsaved = new Pictures('new:w', storage);
  unsaved.putBack([image('a.png')]);
  unsaved.moveTo('s1');
  expect(unsaved.all.map(({ name }) => name)).toEqual(['a.png', 'old.png']);
  expect(new Pictures('new:w', storage).all).toEqual([]);
  expect(new Pictures('s1', storage).all).toHaveLength(2);
});

test('what is on its way arrives where its session is kept now, and can be stopped there', async () => {
  const storage = memory();
  const server = place();
  const own = new Pictures('s1', storage, prepare);
  own.add([file('a.png'), file('b.png'), file('c.png')], server);
  await eventually(() => expect(server.puts).toHaveLength(3));
  server.puts[0]?.answer(image('a.png'));
  await eventually(() => expect(states(own)[0]).toBe('a.png ready'));
  const heir = new Pictures('new', storage, prepare);
  own.handOver(heir);
  heir.moveTo('s1');
  expect(states(heir)).toEqual(['a.png ready', 'b.png uploading', 'c.png uploading']);
  server.puts[1]?.answer(image('b.png'));
  await eventually(() => expect(states(heir)[1]).toBe('b.png ready'));
  heir.remove(heir.all[2]?.key ?? '');
  expect(server.puts[2]?.signal.aborted).toBe(true);
  expect(new Pictures('s1', storage).all.map(({ name }) => name)).toEqual(['a.png', 'b.png']);
});
