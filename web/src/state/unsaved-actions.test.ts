import { expect, test, vi } from 'vitest';
import { server } from '../conversation/testing.ts';
import { unsavedActions } from './unsaved-actions.ts';

const message = (text: string) => ({ id: text, text, mode: 'steer' as const });

test('the first message creates the session, once, whatever fails in between', async () => {
  const made = server();
  made.send.mockRejectedValueOnce(new Error('down'));
  const create = vi.fn().mockRejectedValueOnce(new Error('down')).mockResolvedValue('new');
  const onCreated = vi.fn();
  const actions = unsavedActions(create, () => made, onCreated);
  await expect(actions.send(message('a'))).rejects.toThrow('down');
  expect(onCreated).not.toHaveBeenCalled();
  await expect(actions.send(message('a'))).rejects.toThrow('down');
  expect(onCreated.mock.calls).toEqual([['new']]);
  await Promise.all([actions.send(message('a')), actions.send(message('b'))]);
  expect(create).toHaveBeenCalledTimes(2);
  expect(made.send.mock.calls.map(([{ text }]) => text)).toEqual(['a', 'a', 'b']);
  expect(onCreated).toHaveBeenCalledTimes(1);
});

test('the page goes to the session before the message is there, so that a failure shows in it', async () => {
  const order: string[] = [];
  const made = server();
  made.send.mockImplementation(async () => void order.push('sent'));
  const actions = unsavedActions(
    async () => 'new',
    () => made,
    (session) => order.push(`to ${session}`),
  );
  await actions.send(message('a'));
  expect(order).toEqual(['to new', 'sent']);
});
