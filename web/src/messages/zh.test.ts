import { afterEach, expect, test } from 'vitest';
import { duration } from '../ui/quantities.ts';
import { ago } from '../ui/time-ago.tsx';
import { en } from './en.ts';
import { type Chinese, type MessageKey, type Plural, t } from './messages.ts';
import { speak } from './spoken.ts';
import { zh } from './zh.ts';

afterEach(() => speak('en', ['en-US']));

/** Messages without a word to translate: names, keys, signs. */
const SAME_IN_BOTH: readonly MessageKey[] = [
  'asks.ruleWords',
  'catalog.key',
  'catalog.keyMac',
  'composer.more',
  'conversation.because',
  'conversation.beyond.and',
  'conversation.byRule',
  'inbox.key',
  'notifications.body',
  'pages.product',
  'pages.sessionTitle',
  'pages.title',
  'people.more',
  'permissions.both',
  'permissions.chip.more',
  'permissions.kept.joint',
  'sessions.agentVersion',
  'sessions.key',
  'sessions.profileWith',
  'ui.movedTo',
];

const english = Object.entries(en) as [MessageKey, string | Plural][];

function places(message: string | Plural): string[] {
  const forms = typeof message === 'string' ? [message] : Object.values(message);
  return [...new Set(forms.flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort();
}

test('every message has its Chinese one, and no Chinese one is left over', () => {
  expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
});

test('the places are the same in both', () => {
  for (const [key, message] of english) expect([key, places(zh[key])]).toEqual([key, places(message)]);
});

test('no sentence was left in English', () => {
  const untranslated = english.map(([key]) => key).filter((key) => !/\p{Script=Han}/u.test(zh[key]));
  expect(untranslated.filter((key) => key !== 'usage.percent').sort()).toEqual(SAME_IN_BOTH);
});

test('the words of the glossary, and Chinese punctuation', () => {
  for (const [key, text] of Object.entries(zh)) {
    expect([key, text]).not.toEqual([
      key,
      expect.stringMatching(/您|登陆|代理人|工作空间|\p{Script=Han}[,;:?!]/u),
    ]);
    expect([key, text]).not.toEqual([
      key,
      expect.stringMatching(/\p{Script=Han}[a-z\d]|[a-z\d]\p{Script=Han}/iu),
    ]);
  }
});

test('a missing or an extra key, and a missing place, are type errors', () => {
  type Two = { 'a.one': 'One {name} of {count}'; 'a.two': { one: '{count} day'; other: '{count} days' } };
  const good = { 'a.one': '{count} 中的 {name}', 'a.two': '{count} 天' } as const satisfies Chinese<Two>;
  // @ts-expect-error a place is missing
  const placeless = { 'a.one': '{count} 个', 'a.two': '{count} 天' } as const satisfies Chinese<Two>;
  // @ts-expect-error a key is missing
  const short = { 'a.two': '{count} 天' } as const satisfies Chinese<Two>;
  // @ts-expect-error a key is in no English table
  const long = { ...good, 'a.three': '三' } as const satisfies Chinese<Two>;
  expect([good, placeless, short, long]).toHaveLength(4);
});

test('once Chinese is spoken, so are numbers and times', async () => {
  await speak('zh', ['zh-CN']);
  expect(t('sessions.new')).toBe('新建会话');
  expect(t('workspaces.sessions', { count: 12_000 })).toBe('12,000 个会话');
  expect(t('workspaces.sessions', { count: 1 })).toBe('1 个会话');
  expect([380, 1_800, 125_000, 3_720_000].map(duration)).toEqual([
    '380 毫秒',
    '1.8 秒',
    '2 分 05 秒',
    '1 小时 02 分',
  ]);
  expect(ago(0, 180_000)).toBe('3 分钟前');
});
