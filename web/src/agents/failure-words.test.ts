import { afterEach, expect, test } from 'vitest';
import { speak } from '../messages/spoken.ts';
import { failureWords } from './failure-words.ts';

afterEach(() => speak('en', ['en']));

const INTERRUPTED = 'TurnInterrupted: turn interrupted';
const MESSAGES = [
  INTERRUPTED,
  `${INTERRUPTED} by a restart of the server`,
  'session.locked: Session 1 is being written.',
  'new.code: The disk\nis full.',
  'Note: no code',
];

test('why an agent has failed is told without names of the program', () => {
  expect(MESSAGES.map(failureWords)).toEqual([
    'It was stopped before it was done.',
    'A restart of the server cut it off.',
    'Session 1 is being written.',
    'The disk\nis full.',
    'Note: no code',
  ]);
});

test('in Chinese as well, where there is a sentence for the code', async () => {
  await speak('zh', ['zh-CN']);
  expect(MESSAGES.map(failureWords)).toEqual([
    '还没做完就被停止了。',
    '服务器重启，它中断了。',
    '这个会话正被另一个程序（Codex 或另一个服务器）写入，请先在那边关闭。',
    'The disk\nis full.',
    'Note: no code',
  ]);
});
