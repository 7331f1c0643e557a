import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventBody } from '@tscodex/shared/events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../base/errors.ts';
import { jpeg, png } from '../base/pictures.test-support.ts';
import type { ToolContext } from './tool.ts';
import { viewImage } from './view-image.ts';

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return { ...real, realpath: vi.fn(real.realpath) };
});

let cwd: string;
let events: EventBody[];
let keep: ToolContext['images']['keep'];
let policy: Pick<ToolContext['policy'], 'approval' | 'sandbox'>;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'tscodex-view-')));
  events = [];
  keep = async (bytes, name) => ({ id: 'kept', name, mediaType: 'image/png', bytes: bytes.length });
  policy = { approval: 'on-request', sandbox: 'workspace-write' };
});
afterEach(() => rmSync(cwd, { recursive: true }));

async function view(path: string) {
  const context = {
    holding: { hiding: () => (path: string) => path.includes('/hidden/') },
    ...{ cwd, policy, itemId: 'item', turnId: 'turn', signal: new AbortController().signal },
    images: { keep: (bytes: Buffer, name: string) => keep(bytes, name) },
    emit: (event: EventBody) => events.push(event),
  } as unknown as ToolContext;
  return viewImage.call(JSON.stringify({ path }), context);
}
const file = (name: string, bytes: Buffer | string) => {
  writeFileSync(join(cwd, name), bytes);
  return join(cwd, name);
};
const shown = () => events.map((event) => ('item' in event ? event.item : null));

test('what is hidden from commands is not seen either, through a link neither', async () => {
  mkdirSync(join(cwd, 'hidden'));
  file('hidden/dot.png', png(1, 1));
  symlinkSync(join(cwd, 'hidden/dot.png'), join(cwd, 'link.png'));
  for (const path of ['hidden/dot.png', 'link.png'])
    expect((await view(path)).output).toContain('it is hidden from this session');
});

test('an image goes to the model as it is, of one pixel too', async () => {
  file('dot.png', png(1, 1));
  const image_url = `data:image/png;base64,${png(1, 1).toString('base64')}`;
  expect(await view('dot.png')).toEqual({ output: [{ type: 'input_image', image_url }], success: true });
  expect(shown()).toMatchObject([
    {
      type: 'imageView',
      status: 'completed',
      path: join(cwd, 'dot.png'),
      image: { id: 'kept', name: 'dot.png' },
    },
  ]);
});

test('its bytes say what it is, not its name', async () => {
  file('photo.png', jpeg(4, 4));
  const { output } = await view('photo.png');
  expect(output).toMatchObject([{ image_url: expect.stringMatching(/^data:image\/jpeg;/) }]);
});

test('a copy that cannot be kept takes nothing from the model', async () => {
  file('a.png', png(2, 2));
  keep = async () => {
    throw new Failure('unavailable', 'image.write', 'no room');
  };
  expect(await view('a.png')).toMatchObject({ success: true });
  expect(shown()).toMatchObject([{ status: 'completed' }]);
  expect(shown()[0]).not.toHaveProperty('image');
});

test('what is no image to look at is a sentence for the model and a failed line for the people', async () => {
  mkdirSync(join(cwd, 'folder'));
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  truncateSync(file('huge.png', png(3, 3)), 200_000_000);
  file('logo.svg', '<svg/>');
  file('torn.png', png(50, 50).subarray(0, 50));
  file('bomb.png', png(100_000, 100_000));
  const sentences: Record<string, string> = {
    'none.png': 'there is no such file',
    'logo.svg/a.png': 'a part of the path is a file',
    folder: 'it is a directory',
    pipe: 'it is not a regular file',
    'huge.png': 'it has 191 MiB, and 8 MiB is the limit; make a smaller copy of it first',
    'logo.svg': 'is not a PNG, JPEG, WebP or GIF image',
    'torn.png': 'is broken',
    'bomb.png': 'has 100000 × 100000 pixels',
  };
  for (const [path, sentence] of Object.entries(sentences))
    expect(await view(path)).toEqual({
      output: expect.stringMatching(new RegExp(`^view_image: .*${join(cwd, path)}.*${sentence}`)),
      success: false,
    });
  expect(shown().map((item) => item?.status)).toEqual(Object.keys(sentences).map(() => 'failed'));
});

test('what lies elsewhere stays closed, behind a link too, unless everything is open', async () => {
  const elsewhere = mkdtempSync(join('/var', 'tscodex-elsewhere-'));
  try {
    const path = join(elsewhere, 'secret.png');
    writeFileSync(path, png(2, 2));
    symlinkSync(path, join(cwd, 'link.png'));
    for (const way of [path, 'link.png'])
      expect(await view(way)).toMatchObject({
        ...{ success: false, output: expect.stringContaining(`it lies outside ${cwd}`) },
      });
    if (process.platform === 'linux') {
      // a directory that becomes a link between the look and the opening
      symlinkSync(elsewhere, join(cwd, 'swapped'));
      vi.mocked(realpath).mockImplementationOnce(async (path) => String(path));
      expect(await view('swapped/secret.png')).toMatchObject({
        ...{ success: false, output: expect.stringContaining(`it lies outside ${cwd}`) },
      });
    }
    policy = { approval: 'never', sandbox: 'danger-full-access' };
    expect(await view(path)).toMatchObject({ success: true });
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
});
