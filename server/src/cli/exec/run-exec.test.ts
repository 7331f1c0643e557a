import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Stdin } from './exec-prompt.ts';
import { runExec } from './run-exec.ts';

let dir: string;
let model: Server;

/** A model that says "Done." */
beforeEach(async () => {
  model = createServer((request, response) => {
    request.resume();
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
