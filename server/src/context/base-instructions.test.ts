import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { baseInstructions } from './base-instructions.ts';
import { type ContextScene, openContextScene } from './context-scene.test-support.ts';

let scene: ContextScene;
beforeEach(async () => {
  scene = await openContextScene();
});
afterEach(() => scene.remove());

test('the command line goes before the text of the configuration, that before its file, that before ours', async () => {
  const file = await scene.write('codex/prompt.md', '\nfrom the file\n');
  const all = { override: 'from the command line', base: 'from the configuration', file };
  expect(await baseInstructions(all)).toBe('from the command line');
  expect(await baseInstructions({ ...all, override: undefined })).toBe('from the configuration');
  expect(await baseInstructions({ file, personality: 'friendly' })).toBe('from the file');
  expect(await baseInstructions({})).toMatch(/^You are .*tscodex/);
  expect(await baseInstructions({ override: '', file })).toBe('');
});

test('a personality is a few more words after ours; one we do not know is none', async () => {
  const ours = await baseInstructions({});
  for (const personality of ['friendly', 'pragmatic'])
    expect((await baseInstructions({ personality })).startsWith(`${ours}\n\n# How you sound\n`)).toBe(true);
  for (const personality of ['none', 'toString', ''])
    expect(await baseInstructions({ personality })).toBe(ours);
});

test.each([
  ['missing', 'there is no such file'],
  ['empty', 'it is empty'],
  ['folder', 'it is a folder'],
  ['pipe', 'it is not a regular file'],
  ['large', 'it has 600000 bytes, and 524288 is the limit'],
])('a file that is %s is told with its name and the way out', async (what, why) => {
  await scene.write('empty', ' \n');
  await scene.write('folder/x', '');
  await scene.write('large', 'x'.repeat(600_000));
  execFileSync('mkfifo', [join(scene.dir, 'pipe')]);
  const file = join(scene.dir, what);
  await expect(baseInstructions({ file })).rejects.toMatchObject({
    ...{ code: 'config.instructions', details: { file, reason: why } },
    message: `The file of model_instructions_file, ${file}, cannot be used: ${why}. Mend it, or take the line out of config.toml.`,
  });
});
