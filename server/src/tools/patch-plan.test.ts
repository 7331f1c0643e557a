import { dirname, join } from 'node:path';
import { diffArrays } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PatchEffort } from './patch-effort.ts';
import { parsePatch } from './patch-format.ts';
import { expectUnchanged, type PatchFiles, planPatch } from './patch-plan.ts';

type Content = string | Uint8Array;

/** Files below /w; `links` are symbolic links by absolute path. */
function memory(files: Record<string, Content>, links: Record<string, string> = {}): PatchFiles {
  const follow = (path: string): string =>
    links[path] ?? (path === '/' ? path : join(follow(dirname(path)), path.slice(path.lastIndexOf('/') + 1)));
  return {
    folder: async (path) => path,
    realPath: async (path) => follow(path),
    read: async (path) => {
      const content = files[path.replace('/w/', '')];
      return content === undefined ? null : Buffer.from(content);
    },
  };
}

const plan = (files: PatchFiles, ...body: string[]) =>
  planPatch(parsePatch(['*** Begin Patch', ...body, '*** End Patch'].join('\n')), '/w', files);

/** The content of the only file that a patch changes. */
async function updated(before: Content, ...hunks: string[]): Promise<Buffer> {
  const changes = await plan(memory({ f: before }), '*** Update File: f', ...hunks);
  expect(changes).toMatchObject([{ kind: 'update', name: 'f', path: '/w/f' }]);
  return Buffer.from(changes[0]?.after ?? '');
}

const lf = (content: Content) => Buffer.from(content);

test.each([
  ['foo\r\nbar\r\nbaz\r\n', [' foo', '-bar', '+BAR'], 'foo\r\nBAR\r\nbaz\r\n'],
  ['a\r\nc\r\n', [' a', '+b', ' c'], 'a\r\nb\r\nc\r\n'],
  ['a\r\nb\nc\nd\r\n', ['-a', '+A', ' b'], 'A\r\nb\nc\nd\r\n'],
])('O-A1: every line keeps its ending: %j', async (before, hunk, after) => {
  expect(await updated(before, '@@', ...hunk)).toEqual(lf(after));
});

test('O-A2: no newline is invented at the end', async () => {
  expect(await updated('line1\nline2\nline3', '@@', '-line1', '+LINE1')).toEqual(lf('LINE1\nline2\nline3'));
  expect(await updated('a\nb', '@@', ' b', '+c')).toEqual(lf('a\nb\nc'));
  expect(await updated('a\r\nb', '@@', ' b', '+c')).toEqual(lf('a\r\nb\r\nc'));
  expect(await updated('a', '@@', '-a', '+b', '+c')).toEqual(lf('b\nc'));
});

test('O-A3: lines that are only added go below the anchor', async () => {
  const before = 'class A:\n    def a(self):\n        pass\n\nclass B:\n    pass\n';
  expect(await updated(before, '@@ class A:', '+    x = 1')).toEqual(
    lf('class A:\n    x = 1\n    def a(self):\n        pass\n\nclass B:\n    pass\n'),
  );
  expect(await updated(before, '@@', '+x = 1')).toEqual(lf(`${before}x = 1\n`));
  await expect(updated(before, '@@ class C:', '+x')).rejects.toThrow(
    'f: the line after "@@" was not found:\nclass C:',
  );
});

test.each([
  [
    'A \u2014 first\nvalue\u00a0= 1\n',
    [' A - first', '-value = 1', '+value = 2'],
    'A \u2014 first\nvalue = 2\n',
  ],
  ['say \u201chi\u201d\nold\n', [' say "hi"', '-old', '+new'], 'say \u201chi\u201d\nnew\n'],
  ['a \u2013 b\na - b\n', ['-a - b', '+X'], 'a \u2013 b\nX\n'],
])('O-A4: look-alikes match and the file keeps its own: %j', async (before, hunk, after) => {
  expect(await updated(before, '@@', ...hunk)).toEqual(lf(after));
});

test.each(['./notes.md', 'sub/../notes.md', 'alias.md', '/w/notes.md'])(
  'O-A5: a move onto itself (%s) is an update',
  async (alias) => {
    const files = memory({ 'notes.md': 'one\n' }, { '/w/alias.md': '/w/notes.md' });
    const body = ['*** Update File: notes.md', `*** Move to: ${alias}`, '@@', '-one', '+two'];
    const changes = await plan(files, ...body);
    expect(changes).toMatchObject([{ kind: 'update', path: '/w/notes.md', after: lf('two\n') }]);
  },
);

test('O-A5: what exists is not overwritten', async () => {
  const files = memory({ 's.txt': 'alpha\n', 't.txt': 'important\n' });
  await expect(
    plan(files, '*** Update File: s.txt', '*** Move to: t.txt', '@@', '-alpha', '+beta'),
  ).rejects.toThrow('s.txt cannot be moved to t.txt: that file exists already');
  await expect(plan(files, '*** Add File: t.txt', '+x')).rejects.toThrow(
    't.txt exists already; to change it, use "*** Update File: t.txt"',
  );
});

test('O-A7: paths are resolved to what will be written', async () => {
  const files = memory({}, { '/w/link': '/opt/outside' });
  const paths = [
    '../escape.txt',
    'a/../../escape2.txt',
    '/opt/abs.txt',
    'link/through.txt',
    './in.txt',
    '/w/abs.txt',
  ];
  const changes = await plan(files, ...paths.flatMap((path) => [`*** Add File: ${path}`, '+x']));
  expect(changes.map((change) => change.path)).toEqual([
    '/escape.txt',
    '/escape2.txt',
    '/opt/abs.txt',
    '/opt/outside/through.txt',
    '/w/in.txt',
    '/w/abs.txt',
  ]);
});

test('a home directory is not guessed', async () => {
  await expect(plan(memory({}), '*** Add File: ~/f', '+x')).rejects.toThrow(
    '~/f: "~" has no meaning in a patch',
  );
});

test('O-A8: one section that does not fit fails the whole patch, naming the file and its lines', async () => {
  const files = memory({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
  const body = [
    '*** Update File: a.txt',
    '@@',
    '-one',
    '+ONE',
    '*** Update File: b.txt',
    '@@',
    '-missing',
    '+X',
  ];
  await expect(plan(files, ...body, '*** Add File: c.txt', '+c')).rejects.toThrow(
    'b.txt: these lines were not found:\nmissing',
  );
});

test('sections for one file build on each other', async () => {
  const files = memory({ f: 'a\nb\n', g: 'g\n' });
  const changes = await plan(
    files,
    ...['*** Update File: f', '-a', '+A', '*** Update File: ./f', '-b', '+B', ' '],
    ...['*** Update File: g', '*** Move to: h', '*** Update File: h', '-g', '+G'],
    ...['*** Add File: x', '+1', '*** Update File: x', '-1', '+2'],
    ...['*** Add File: y', '+1', '*** Delete File: y'],
  );
  expect(changes).toEqual([
    {
      kind: 'update',
      name: 'f',
      path: '/w/f',
      before: lf('a\nb\n'),
      after: lf('A\nB\n'),
      diff: '@@ -1,2 +1,2 @@\n-a\n-b\n+A\n+B',
    },
    {
      kind: 'move',
      name: 'h',
      path: '/w/g',
      movedTo: '/w/h',
      before: lf('g\n'),
      after: lf('G\n'),
      diff: '@@ -1,1 +1,1 @@\n-g\n+G',
    },
    { kind: 'add', name: 'x', path: '/w/x', before: null, after: lf('2\n'), diff: '@@ -0,0 +1,1 @@\n+2' },
  ]);
});

test('moves chain, turn back, and make room', async () => {
  const files = memory({ a: 'a\n', t: 't\n' });
  const move = (from: string, to: string) => [`*** Update File: ${from}`, `*** Move to: ${to}`];
  const shape = async (...body: string[]) =>
    (await plan(files, ...body)).map(({ kind, path, movedTo }) => [kind, path, movedTo]);
  expect(await shape(...move('a', 'b'), ...move('b', 'c'))).toEqual([['move', '/w/a', '/w/c']]);
  expect(await shape('*** Delete File: t', ...move('a', 't'))).toEqual([
    ['update', '/w/t', undefined],
    ['delete', '/w/a', undefined],
  ]);
  expect(await shape(...move('a', 'b'), '*** Add File: a', '+new')).toEqual([
    ['update', '/w/a', undefined],
    ['add', '/w/b', undefined],
  ]);
  await expect(plan(files, ...move('a', 'b'), '*** Delete File: a')).rejects.toThrow('a does not exist');
});

test('a patch that changes nothing says so', async () => {
  const message = 'the patch leaves every file as it is';
  const files = memory({ f: 'a\n' });
  await expect(plan(files, '*** Update File: f', ' a')).rejects.toThrow(message);
  await expect(plan(files, '*** Add File: g', '+g', '*** Delete File: g')).rejects.toThrow(message);
  const there = ['*** Update File: f', '*** Move to: g'];
  const back = ['*** Update File: g', '*** Move to: f'];
  await expect(plan(files, ...there, ...back)).rejects.toThrow(message);
});

test('a link is neither deleted nor moved', async () => {
  const files = memory({ f: 'x\n' }, { '/w/link': '/w/f' });
  const message = 'link is a symbolic link to /w/f';
  await expect(plan(files, '*** Delete File: link')).rejects.toThrow(message);
  await expect(plan(files, '*** Update File: link', '*** Move to: g')).rejects.toThrow(message);
  expect(await plan(files, '*** Update File: link', '-x', '+y')).toMatchObject([{ path: '/w/f' }]);
});

test('a byte order mark and bytes that are not UTF-8 stay', async () => {
  const before = Buffer.concat([Buffer.from('\ufeffa\n'), Buffer.from([0xff, 0xc3, 0x28, 0x0a]), lf('b\n')]);
  const after = Buffer.concat([Buffer.from('\ufeffA\n'), Buffer.from([0xff, 0xc3, 0x28, 0x0a]), lf('B\n')]);
  expect(await updated(before, '-a', '+A', '@@', '-b', '+B')).toEqual(after);
});

test('what changed after planning is noticed', async () => {
  const changes = await plan(memory({ f: 'a\n' }), '*** Update File: f', '-a', '+b', '*** Add File: g', '+g');
  await expectUnchanged(changes, memory({ f: 'a\n' }));
  await expect(expectUnchanged(changes, memory({ f: 'x\n' }))).rejects.toThrow('/w/f has changed');
  await expect(expectUnchanged(changes, memory({}))).rejects.toThrow('/w/f has changed');
  await expect(expectUnchanged(changes, memory({ f: 'a\n', g: '' }))).rejects.toThrow('/w/g has changed');
  await expect(expectUnchanged(changes, memory({ f: 'a\n' }, { '/w/g': '/opt/g' }))).rejects.toThrow('/w/g');
});

/** The hunks that turn `before` into `after`, with `context` lines around each change. */
function hunks(before: string[], after: string[], context: number): string[] {
  const lines = diffArrays(before, after).flatMap((part) =>
    part.value.map((text) => `${part.added ? '+' : part.removed ? '-' : ' '}${text}`),
  );
  const near = lines.map((_, i) =>
    lines.slice(Math.max(0, i - context), i + context + 1).some((l) => l[0] !== ' '),
  );
  return lines.flatMap((line, i) => (near[i] ? (near[i - 1] ? [line] : ['@@', line]) : []));
}

const eol = fc.constantFrom('\n', '\r\n');
const word = fc.constantFrom('a', 'b', '', ' a', '+', '-', '@@ a', '*** End Patch', 'ä\u2014');

test('property: a patch made from before and after gives after, byte for byte', async () => {
  const lines = fc.array(word, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(lines, lines, eol, async (before, after, end) => {
      const hunk = hunks(before, after, Number.POSITIVE_INFINITY);
      fc.pre(hunk.length > 0);
      const file = (all: string[]) => all.map((line) => line + end).join('');
      const expected = before.length === 0 ? after.map((line) => `${line}\n`).join('') : file(after);
      expect(await updated(file(before), ...hunk)).toEqual(lf(expected));
    }),
  );
});

test('property: hunks with little context find their places; untouched lines keep their endings', async () => {
  const endings = fc.array(eol, { minLength: 20, maxLength: 20 });
  const edits = fc.array(fc.constantFrom('keep', 'keep', 'keep', 'drop', 'change'), {
    minLength: 20,
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(endings, edits, fc.boolean(), async (ends, edit, openEnd) => {
      const before = ends.map((_, i) => `line ${i}`);
      const after = before.flatMap((line, i) =>
        edit[i] === 'drop' ? [] : edit[i] === 'change' ? [`new ${i}`] : [line],
      );
      const hunk = hunks(before, after, 1);
      fc.pre(hunk.length > 0);
      const ending = (i: number) => (openEnd && i === 19 ? '' : (ends[i] ?? ''));
      const result = await updated(before.map((line, i) => line + ending(i)).join(''), ...hunk);
      const text = result.toString();
      expect(text.split(/\r?\n/).filter((line) => line !== '')).toEqual(after);
      for (const [i, line] of before.entries())
        if (edit[i] === 'keep') expect(text).toContain(`${line}${ending(i)}`);
    }),
  );
});

test('the work of a patch is bounded: lines and bytes that it reads, and lines it looks at', async () => {
  const large = (patch: Promise<unknown>, message: RegExp) =>
    expect(patch).rejects.toMatchObject({ code: 'patch.large', message: expect.stringMatching(message) });
  const blank = '\n'.repeat(150_000);
  const two = memory({ a: blank, b: blank, c: '' });
  const update = (file: string) => [`*** Update File: ${file}`, '@@', ' ', '+x'];
  await expect(plan(two, ...update('a'))).resolves.toHaveLength(1);
  await large(plan(two, ...update('a'), ...update('b')), /^b: .* more than 200000 lines together/);
  const long = memory({ a: 'x'.repeat(20 << 20), b: 'x'.repeat(20 << 20) });
  await large(plan(long, '*** Delete File: a', '*** Delete File: b'), /^b: .* larger than 32 MiB together/);
  await large(
    plan(two, ...Array.from({ length: 50 }, () => update('a')).flat()),
    /hunks are too hard to find/,
  );
  const spaced = memory({ a: `${'a \n'.repeat(1000)}`.repeat(20) });
  const hunks = Array.from({ length: 400 }, () => ['@@', '-a', '+b']).flat();
  await large(plan(spaced, '*** Update File: a', ...hunks), /hunks are too hard to find/);
});

test('many hunks of one file cost what they cost one by one, not the whole file each', async () => {
  const file = Array.from({ length: 100_000 }, (_, i) => `${i}\n`).join('');
  const hunks = Array.from({ length: 10_000 }, (_, i) => ['@@', ` ${i * 10}`, '+x']).flat();
  const effort = new PatchEffort();
  const sections = parsePatch(
    ['*** Begin Patch', '*** Update File: f', ...hunks, '*** End Patch'].join('\n'),
  );
  const [change] = await planPatch(sections, '/w', memory({ f: file }), effort);
  expect(
    Buffer.from(change?.after ?? '')
      .toString()
      .split('\n'),
  ).toHaveLength(110_001);
  // once to take its lines, once to look for them all
  expect(effort.looks).toBeLessThan(200_000);
});
