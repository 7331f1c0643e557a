import { expect, test } from 'vitest';
import { type Message, Outbox } from './outbox.ts';

function device() {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

/** A server that answers when told to. */
function server() {
  const sent: Message[] = [];
  const answers: { accept: () => void; refuse: (reason: string) => void }[] = [];
  const send = (message: Message) => {
    sent.push(message);
    return new Promise<void>((resolve, reject) => {
      answers.push({ accept: resolve, refuse: (reason) => reject(new Error(reason)) });
    });
  };
  return { sent, answers, send };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const shown = (outbox: Outbox) =>
  outbox.entries.getState().map(({ message, state, reason }) => ({ text: message.text, state, reason }));

test('a message is stored before it is sent and forgotten when the server has it', async () => {
  const storage = device();
  const { sent, answers, send } = server();
  const outbox = new Outbox('s', storage);
  outbox.submit({ text: 'hello', mode: 'steer' }, send);
  expect(shown(outbox)).toEqual([{ text: 'hello', state: 'sending', reason: null }]);
  await settled();
  expect(JSON.parse(storage.values.get('tscodex.outbox.s') ?? '')).toEqual(sent);
  answers[0]?.accept();
  await settled();
  expect(shown(outbox)).toEqual([]);
  expect(storage.values.size).toBe(0);
});

test('a failed one stays with its reason and goes again under the same id', async () => {
  const { sent, answers, send } = server();
  const outbox = new Outbox('s', device());
  outbox.submit({ text: 'hello', mode: 'queue' }, send);
  await settled();
  answers[0]?.refuse('no answer');
  await settled();
  expect(shown(outbox)).toEqual([{ text: 'hello', state: 'failed', reason: 'no answer' }]);
  const id = sent[0]?.id ?? '';
  outbox.retry(id, send);
  outbox.retry(id, send);
  await settled();
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  answers[1]?.accept();
  await settled();
  expect(shown(outbox)).toEqual([]);
});

test('messages leave one after another, in the order they were written (Q17)', async () => {
  const { sent, answers, send } = server();
  const outbox = new Outbox('s', device());
  for (const text of ['one', 'two', 'three']) outbox.submit({ text, mode: 'steer' }, send);
  await settled();
  expect(sent.map(({ text }) => text)).toEqual(['one']);
  answers[0]?.refuse('down');
  await settled();
  expect(sent.map(({ text }) => text)).toEqual(['one', 'two']);
  outbox.retry(sent[0]?.id ?? '', send);
  answers[1]?.accept();
  await settled();
  answers[2]?.accept();
  await settled();
  expect(sent.map(({ text }) => text)).toEqual(['one', 'two', 'three', 'one']);
});

test('what a closed page left behind waits for a retry, session by session', () => {
  const storage = device();
  new Outbox('a', storage).submit({ text: 'for a', mode: 'steer' }, server().send);
  expect(shown(new Outbox('a', storage))).toEqual([{ text: 'for a', state: 'failed', reason: null }]);
  expect(shown(new Outbox('b', storage))).toEqual([]);
});

test('what was written before there was a session moves to it, and ends there', async () => {
  const storage = device();
  new Outbox('s', storage).submit({ text: 'kept there', mode: 'steer' }, server().send);
  const { answers, send } = server();
  const outbox = new Outbox('new:w', storage);
  outbox.submit({ text: 'first', mode: 'steer' }, send);
  await settled();
  outbox.moveTo('s');
  expect(shown(outbox).map(({ text, state }) => [text, state])).toEqual([
    ['first', 'sending'],
    ['kept there', 'failed'],
  ]);
  expect(shown(new Outbox('s', storage)).map(({ text }) => text)).toEqual(['first', 'kept there']);
  expect(storage.values.has('tscodex.outbox.new:w')).toBe(false);
  answers[0]?.accept();
  await settled();
  expect(shown(new Outbox('s', storage)).map(({ text }) => text)).toEqual(['kept there']);
});

test('two tabs do not overwrite each other', () => {
  const storage = device();
  const [one, two] = [new Outbox('s', storage), new Outbox('s', storage)];
  one.submit({ text: 'one', mode: 'steer' }, server().send);
  two.submit({ text: 'two', mode: 'steer' }, server().send);
  expect(shown(new Outbox('s', storage)).map(({ text }) => text)).toEqual(['one', 'two']);
});

test('a browser without storage still sends', async () => {
  const refuse = () => {
    throw new Error('QuotaExceededError');
  };
  const { sent, answers, send } = server();
  const outbox = new Outbox('s', { getItem: refuse, setItem: refuse, removeItem: refuse });
  outbox.submit({ text: 'hello', mode: 'steer' }, send);
  await settled();
  answers[0]?.refuse('down');
  await settled();
  expect(shown(outbox)).toEqual([{ text: 'hello', state: 'failed', reason: 'down' }]);
  expect(sent).toHaveLength(1);
});

test('a store with something else in it counts as empty', () => {
  const storage = device();
  storage.values.set('tscodex.outbox.s', '{"half');
  expect(shown(new Outbox('s', storage))).toEqual([]);
});
