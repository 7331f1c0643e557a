import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { png } from '../../base/pictures.test-support.ts';
import type { Stdin } from './exec-prompt.ts';
import { runExec } from './run-exec.ts';

let dir: string;
let model: Server;
/** What the model has been asked. */
let asked: string[];

/** A model that says "Done." */
beforeEach(async () => {
  asked = [];
  model = createServer(async (request, response) => {
    asked.push(await text(request));
    const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of [
      { type: 'response.created', response: { id: 'r' } },
      { type: 'response.output_item.done', output_index: 0, item: { id: 'm', ...said } },
      { type: 'response.completed', response: { id: 'r', output: [] } },
    ])
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  dir = await realpath(await mkdtemp(join(tmpdir(), 'tscodex-run-exec-')));
  await mkdir(join(dir, 'codex'));
  await writeFile(
    join(dir, 'codex', 'config.toml'),
    `model = "m"
model_provider = "here"
sandbox_mode = "danger-full-access"
[model_providers.here]
base_url = "http://127.0.0.1:${(model.address() as AddressInfo).port}/v1"
`,
  );
});

afterEach(async () => {
  model.closeAllConnections();
  await new Promise((resolve) => model.close(resolve));
  await rm(dir, { recursive: true, force: true });
});

async function run(words: string[], terminals: { stdout?: boolean; stderr?: boolean } = {}) {
  const told = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({
    write(text: string) {
      told[name] += text;
    },
    isTTY: terminals[name] ?? false,
  });
  const code = await runExec(words, {
    ...{ env: { CODEX_HOME: join(dir, 'codex'), HOME: dir, PATH: process.env.PATH }, cwd: () => dir },
    stdin: Object.assign(Readable.from([]), { fd: -1 }) as unknown as Stdin,
    ...{ stdout: output('stdout'), stderr: output('stderr') },
    stopped: new AbortController().signal,
  });
  return { code, ...told };
}

test.each([
  ['no terminal', {}, 'Done.\n'],
  ['progress on a terminal', { stderr: true }, 'Done.\n'],
  ['the answer on a terminal', { stdout: true }, 'Done.\n'],
  ['both on a terminal, where it is read once', { stdout: true, stderr: true }, ''],
])('the answer is on stdout: %s', async (_what, terminals, stdout) => {
  expect(await run(['hello'], terminals)).toEqual({ code: 0, stdout, stderr: 'Done.\n' });
});

test.each([
  ['nowhere/x', /nowhere/],
  ['codex', /it is a directory; name a file in it/],
  ['codex/config.toml/x', /not a directory/],
])('-o %s is refused before the turn', async (file, why) => {
  const { code, stdout, stderr } = await run(['hello', '-o', file]);
  expect([code, stdout, asked]).toEqual([1, '', []]);
  expect(stderr).toMatch(/^tscodex: --output-last-message \S+: .*\n$/);
  expect(stderr).toMatch(why);
});

test('a file that takes nothing after all is one sentence, and the answer is there', async () => {
  const { code, stdout, stderr } = await run(['hello', '-o', '/dev/full']);
  expect([code, stdout]).toEqual([1, 'Done.\n']);
  expect(stderr).toMatch(/^Done\.\ntscodex: --output-last-message \/dev\/full: ENOSPC[^\n]*\n$/);
});

test('a run that may not begin leaves the file of the one before', async () => {
  await writeFile(join(dir, 'last.txt'), 'before');
  expect((await run(['-o', 'last.txt', 'resume', '--last', 'go on'])).code).toBe(1);
  expect(await readFile(join(dir, 'last.txt'), 'utf8')).toBe('before');
  expect((await run(['-o', 'last.txt', 'hello'])).code).toBe(0);
  expect(await readFile(join(dir, 'last.txt'), 'utf8')).toBe('Done.');
});

test('images go to the model with the prompt', async () => {
  const pictures = [png(30, 20), png(20, 30)];
  for (const [at, bytes] of pictures.entries()) await writeFile(join(dir, `${at}.png`), bytes);
  expect((await run(['-i', '0.png,1.png', 'what is it?'])).code).toBe(0);
  for (const bytes of pictures)
    expect(asked[0]).toContain(`data:image/png;base64,${bytes.toString('base64')}`);
  expect(asked[0]).toContain('what is it?');
});

test.each([
  ['nowhere.png', /^tscodex: --image \S+nowhere\.png: ENOENT[^\n]*\n$/],
  ['codex', /^tscodex: --image \S+codex: EISDIR[^\n]*\n$/],
  ['codex/config.toml', /^tscodex: config\.toml [^\n]*\n$/],
])('%s, which is no image, is refused before the turn and leaves no session', async (file, why) => {
  const { code, stdout, stderr } = await run(['-i', file, 'what is it?']);
  expect([code, stdout, asked]).toEqual([expect.any(Number), '', []]);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toMatch(why);
  expect(await readdir(join(dir, 'codex'))).not.toContain('sessions');
});
