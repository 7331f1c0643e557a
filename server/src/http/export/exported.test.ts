import type { Item } from '@tscodex/shared/items';
import { expect, test } from 'vitest';
import { exportWords } from './export-words.ts';
import { asJson, asMarkdown, fileNameOf } from './exported.ts';

const about = {
  ...{ id: 's1', title: 'Fix *it*', createdAt: '2026-01-02T03:00:00.000Z', cwd: '/w', model: 'm-1' },
};
const done = { id: 'i', turnId: 't', status: 'completed', startedAt: '2026-01-02T03:04:05.000Z' } as const;
const image = { id: 'img', name: 'a].png', mediaType: 'text/html', bytes: 3 };

const items = [
  {
    ...done,
    type: 'userMessage',
    text: 'Look:\n```',
    attachments: [image],
    author: 'Ada',
    mode: 'steer',
    inputId: 'n',
  },
  {
    ...done,
    type: 'userMessage',
    text: '/help',
    attachments: [],
    author: null,
    mode: 'command',
    inputId: 'm',
  },
  { ...done, type: 'reasoning', summary: ['**Hm**', 'so'] },
  {
    ...{ ...done, type: 'commandExecution', status: 'failed', command: 'cat x', cwd: '/w', exitCode: 1 },
    ...{
      durationMs: 1234,
      output: '\u001b[1m```\u001b[0m\nno',
      outputBytes: 6,
      truncated: false,
      sandbox: 'none',
    },
  },
  {
    ...{
      ...done,
      type: 'commandExecution',
      command: 'yes',
      cwd: '/w',
      exitCode: 0,
      truncated: true,
      sandbox: 'none',
    },
    ...{ output: `${'y'.repeat(32 * 1024)}end`, outputBytes: 40_000 },
  },
  {
    ...{ ...done, type: 'fileChange' },
    changes: [
      { path: 'a.txt', kind: 'update', diff: '@@ -1 +1 @@\n-a\n+b' },
      { path: 'b', kind: 'move', movedTo: 'c', diff: '' },
    ],
  },
  { ...done, type: 'toolCall', name: 'ask', server: 'mcp', arguments: '{}', output: 'yes' },
  {
    ...done,
    type: 'plan',
    steps: [
      { step: 'one', status: 'completed' },
      { step: 'two', status: 'pending' },
    ],
  },
  { ...done, type: 'notice', level: 'info', code: 'x', text: 'Somebody came.' },
  { ...done, type: 'later', what: 1 },
  { ...done, type: 'agentMessage', text: 'Done.', phase: 'final' },
] as unknown as Item[];

async function* all() {
  yield* items;
}

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

const kept = async (id: string) =>
  id === 'img' ? { mediaType: 'image/png', bytes: Buffer.from('abc') } : null;

test('all that people see is in the Markdown, and nothing in it swallows what follows', async () => {
  const text = await textOf(asMarkdown(all(), about, { words: exportWords('en'), image: kept }));
  const parts = text.replace(/y{100,}/, 'yyy').split('\n\n');
  expect(parts).toEqual([
    '# Fix \\*it\\*',
    '- Session `s1`\n- Begun 2026-01-02T03:00:00.000Z\n- Directory `/w`\n- Model `m-1`',
    '## Ada · 2026-01-02 03:04 UTC',
    'Look:\n```\n```',
    '![a\\].png](data:image/png;base64,YWJj)',
    '## User · 2026-01-02 03:04 UTC',
    '`/help`',
    '> *Thought*\n>\n> **Hm**\n>\n> so',
    '**Ran** (exit 1, 1.2 s)',
    '````console\n$ cat x\n```\nno\n````',
    '**Ran** (exit 0)',
    '```console\n$ yes\nyyy\n[… 7229 bytes left out …]\nend\n```',
    '**Changed** `a.txt`',
    '```diff\n@@ -1 +1 @@\n-a\n+b\n```',
    '**Moved** `b` → `c`',
    '**Called** `mcp.ask`',
    '```\n{}\n```',
    '```\nyes\n```',
    '**Plan**',
    '- [x] one\n- [ ] two',
    '> Somebody came.',
    expect.stringMatching(/^```json\n\{\n {2}"id": "i",/),
    '## Agent · 2026-01-02 03:04 UTC',
    'Done.\n',
  ]);
});

test('an image that is gone is named, and a session without anything has its head', async () => {
  const gone = await textOf(asMarkdown(all(), about, { words: exportWords('zh'), image: async () => null }));
  expect(gone).toContain('*a\\].png: 图片已不在*');
  expect(gone).toContain('## 智能体 · ');
  async function* nothing(): AsyncGenerator<Item> {
    // there is none
  }
  const empty = { ...about, title: null, model: null };
  expect(await textOf(asMarkdown(nothing(), empty, { words: exportWords('en'), image: kept }))).toMatch(
    /^# Untitled session\n/,
  );
  expect(JSON.parse(await textOf(asJson(nothing(), empty, kept)))).toEqual({ ...empty, items: [] });
});

test('the JSON has a head as the Markdown has, and the items with their images', async () => {
  const state = { ...about, waiting: [] };
  const { items: told, ...head } = JSON.parse(await textOf(asJson(all(), state, kept)));
  expect(head).toEqual(about);
  const { bytes, mediaType } = (await kept('img')) ?? {};
  const url = `data:${mediaType};base64,${bytes?.toString('base64')}`;
  const [first, ...others] = items;
  expect(told).toEqual([{ ...first, attachments: [{ ...image, url }] }, ...others]);
  const gone = JSON.parse(await textOf(asJson(all(), about, async () => null)));
  expect(gone).toEqual({ ...about, items });
  async function* looked() {
    yield { ...done, type: 'imageView', path: 'a.png', image } as Item;
  }
  expect(JSON.parse(await textOf(asJson(looked(), about, kept))).items[0].image).toEqual({ ...image, url });
});

test.each([
  ['Fix it', 'Fix it.md'],
  ['../../etc/passwd\n"x"', 'etc passwd x.md'],
  ['...', 's1.md'],
  [null, 's1.md'],
  ['修复'.repeat(100), `${'修复'.repeat(40)}.md`],
])('a session called %j makes a file of a safe name', (title, name) => {
  expect(fileNameOf({ title, id: 's1' }, 'markdown')).toBe(name);
});
