/** Codex's own terminal interface as a client of `tscodex app-server`, over a bridge from its WebSocket to stdio. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from '@playwright/test';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Box } from '../support/server.ts';
import { serverBin } from '../support/server.ts';
import { test as base } from './stage.ts';
import { Terminal } from './terminal.ts';

const program = join(dirname(serverBin), 'tscodex.js');

type Wire = { url: string; refused: string[]; ends: Promise<number | null>[] };

const test = base.extend<{ wire: Wire }>({
  wire: async ({ box }, use) => {
    const wss = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    const wire: Wire = { url: '', refused: [], ends: [] };
    wss.on('connection', (socket) => wire.ends.push(serve(socket, box, wire.refused)));
    await new Promise((resolve) => wss.once('listening', resolve));
    wire.url = `ws://127.0.0.1:${(wss.address() as AddressInfo).port}`;
    await use(wire);
    for (const socket of wss.clients) socket.terminate();
    await Promise.all(wire.ends);
    wss.close();
  },
});

/** One `tscodex app-server` a connection: a line a message. Resolves with its exit code. */
function serve(socket: WebSocket, box: Box, refused: string[]): Promise<number | null> {
  const env = { PATH: process.env.PATH, HOME: box.dir, CODEX_HOME: box.codexHome };
  const child = spawn(process.execPath, [program, 'app-server', '--stdio'], {
    ...{ cwd: box.workDir, env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { error } = JSON.parse(line) as { error?: { message: string } };
    if (error) refused.push(error.message);
    socket.send(line);
  });
  socket.on('message', (message) => child.stdin.write(`${message}\n`));
  socket.on('close', () => child.stdin.end());
  return new Promise((resolve) => child.once('close', resolve));
}

function openTui(box: Box, wire: Wire, ...words: string[]): Terminal {
  const codex = process.env.CODEX_BIN;
  if (!codex) throw new Error('CODEX_BIN names no Codex: npm run test:interop gets one');
  const env = { PATH: process.env.PATH, HOME: box.dir, CODEX_HOME: box.codexHome };
  return new Terminal(codex, [...words, '--remote', wire.url], { cwd: box.workDir, env });
}

/** What it asks for and can do without. */
const DOES_WITHOUT = /hooks|collaborationMode|bedrock|plugin|goal|backgroundTerminals\/list/;

test('Codex in a terminal streams from it, is asked, and goes on with its session', async ({
  box,
  model,
  wire,
}) => {
  const path = join(box.codexHome, 'config.toml');
  const config = await readFile(path, 'utf8');
  await writeFile(path, config.replace('approval_policy = "never"', 'approval_policy = "on-request"'));
  model.announces = true;
  const escalated = {
    cmd: 'touch made-here',
    sandbox_permissions: 'require_escalated',
    justification: 'May I?',
  };
  model.answer(
    [{ text: 'Hello from the script.' }],
    [{ call: 'exec_command', args: escalated }],
    [{ text: 'It is made.' }],
  );
  const tui = openTui(box, wire);
  await tui.shows('Ask Codex to do anything');
  await tui.paste('hello there');
  tui.type('\r');
  await tui.shows('Hello from the script.');
  await tui.paste('make it');
  tui.type('\r');
  await tui.shows('Would you like to run the following command?');
  await tui.shows('Reason: May I?');
  await tui.shows('$ touch made-here');
  tui.type('y');
  await tui.shows('It is made.');
  expect(existsSync(join(box.workDir, 'made-here'))).toBe(true);
  await tui.end();
  expect(await wire.ends[0]).toBe(0);

  model.answer([{ text: 'Still the same one.' }]);
  const again = openTui(box, wire, 'resume', '--last');
  await again.shows('Hello from the script.');
  await again.shows('It is made.');
  await again.paste('once more');
  again.type('\r');
  await again.shows('Still the same one.');
  await again.end();
  expect(JSON.stringify(model.requests.at(-1)?.input)).toContain('hello there');
  expect(wire.refused.filter((message) => !DOES_WITHOUT.test(message))).toEqual([]);
});
