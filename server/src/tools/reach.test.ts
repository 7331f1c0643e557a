import { expect, test } from 'vitest';
import { isWritable, nearest } from './reach.ts';

const held = {
  ...{ mode: 'workspace-write' as const, network: false, unixSockets: false },
  roots: ['/w', '/tmp'],
  write: ['/opt/out', '/w/.git/info'],
  hidden: ['/home/u/.codex', '/tmp/other', '/w/state'],
  readable: ['/home/u/.codex/skills'],
};

test.each([
  ['/w/a', true],
  ['/w', true],
  ['/w2/a', false],
  ['/tmp/x', true],
  ['/tmp/other/x', false],
  ['/opt/out/deep/x', true],
  ['/opt/x', false],
  ['/w/.git/config', false],
  ['/w/.git', false],
  ['/w/.git/info/exclude', true],
  ['/w/sub/.git/config', true],
  ['/w/.agents/new.md', false],
  ['/w/state/db', false],
  ['/home/u/.codex/skills/x', false],
  ['/etc/passwd', false],
])('%s can be written: %s', (path, writable) => {
  expect(isWritable(path, held)).toBe(writable);
});

test('a root within a hidden place can be written, the place around it cannot', () => {
  const inside = { ...held, roots: ['/home/u/.codex/tscodex/demo'] };
  expect(isWritable('/home/u/.codex/tscodex/demo/a', inside)).toBe(true);
  expect(isWritable('/home/u/.codex/tscodex/a', inside)).toBe(false);
});

test('the nearest place that exists', async () => {
  const there = new Set(['/', '/w']);
  const exists = async (path: string) => there.has(path);
  expect(await nearest('/w/new/deep/f', exists)).toBe('/w');
  expect(await nearest('/x/y', exists)).toBe('/');
});
