import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectGolden, goldenSession, said, withoutTools } from './golden-session.test-support.ts';

test.each([
  ['freeform', 'gpt-5.5'],
  ['lite', 'gpt-6.2-sol'],
])(
  '%s: the request after settings and files have changed, with a skill that is named',
  async (style, model) => {
    const { session, watcher, requests, send, golden, box } = await goldenSession(
      model,
      [[said('Hello.')], [said('Done.')]],
      { instructions: { developer: 'Speak softly.', user: 'Call me Ada.' } },
    );
    await send('hi');
    await watcher.idle();
    await writeFile(join(box.workDir, 'AGENTS.md'), 'Use tabs.');
    const skill = join(box.workDir, '.agents', 'skills', 'tidy');
    await mkdir(skill, { recursive: true });
    await writeFile(join(skill, 'SKILL.md'), '---\nname: tidy\ndescription: tidies up\n---\nSort it.\n');
    await session.change({ sandbox: 'workspace-write', approval: 'on-request', effort: 'high' }, null);
    await send('$tidy the files');
    await watcher.until((state) => requests.length === 2 && state.turn === null);
    const [before, after] = requests.map(({ body }) => body as { input: unknown[]; instructions?: string });
    expect(after?.input.slice(0, before?.input.length)).toEqual(before?.input);
    expect(after?.instructions).toBe(before?.instructions);
    await expectGolden(`${style}-after-settings`, withoutTools(golden(1)));
    await session.unload('shutdown');
  },
);
