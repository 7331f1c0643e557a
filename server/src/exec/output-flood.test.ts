/** Output as it comes, and nobody reads it: bounded, whatever its bytes (O-D3). */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandStage } from './commands.test-support.ts';

const MIB = 1024 * 1024;

let stage: CommandStage;

beforeEach(async () => {
  stage = await CommandStage.open();
});

afterEach(() => stage.close());

/** Runs it to its end; `shown` is what was delivered live. */
async function flood(command: string, tty = false) {
  let shown = '';
  let skipped = 0;
  const onOutput = (delta: string, missing: number) => {
    skipped += missing;
    shown += delta;
  };
  const running = stage.run(command, { tty, onOutput });
  await running.exited;
  return { ...running.readNew(), shown, skipped };
}

test('a line of 5 MB: its ends are kept, and what follows it', async () => {
  const { head, tail, bytes, omitted, shown, skipped } = await flood(
    "head -c 5000000 /dev/zero | tr '\\0' 'x'; echo; echo TAIL",
  );
  expect(bytes).toBe(5_000_006);
  expect(head).toMatch(/^x{1000,}$/);
  expect(tail).toMatch(/^x{1000,}\nTAIL\n$/);
  expect(omitted).toBe(bytes - head.length - tail.length);
  expect(head.length + tail.length).toBe(MIB);
  expect(shown.length + skipped).toBe(bytes);
});

test('a progress bar of 20,000 steps in one line', async () => {
  const { head, tail } = await flood(
    "for i in $(seq 1 20000); do printf '\\r%d%%' $i; done; echo; echo DONE",
  );
  expect(head + tail).toMatch(/^\r1%\r2%[\s\S]*\r20000%\nDONE\n$/);
});

test('random bytes: what is text among them stays, and all are counted', async () => {
  const { head, tail, bytes, shown } = await flood('echo START; head -c 3000000 /dev/urandom; echo END');
  expect(bytes).toBe(3_000_010);
  expect(head.startsWith('START\n')).toBe(true);
  expect(tail.endsWith('END\n')).toBe(true);
  expect(head).toContain('\ufffd');
  expect(shown.startsWith('START\n')).toBe(true);
  expect(shown.endsWith('END\n')).toBe(true);
});

test('GBK, which is no UTF-8: the ASCII around it and among it stays', async () => {
  // 你好, and 昞 whose second byte is a backslash
  writeFileSync(join(stage.cwd, 'gbk'), Buffer.from('c4e3bac30a955c0a6f6b0a', 'hex'));
  const { head, bytes, shown } = await flood('cat gbk');
  expect(bytes).toBe(11);
  expect(head).toBe('\ufffd\ufffd\ufffd\n\ufffd\\\nok\n');
  expect(shown).toBe(head);
});

test('zeros and every other byte', async () => {
  writeFileSync(join(stage.cwd, 'all'), Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)));
  const { head, bytes } = await flood('cat all');
  expect(bytes).toBe(256);
  expect(head.slice(0, 128)).toBe(String.fromCharCode(...Array.from({ length: 128 }, (_, byte) => byte)));
  expect(head.slice(128)).toBe('\ufffd'.repeat(128));
});

test('through a terminal, nobody reading', async () => {
  const { head, tail, bytes, omitted } = await flood('yes | head -c 6000000; echo END', true);
  // a terminal writes \r\n
  expect(bytes).toBe(9_000_005);
  expect(head.startsWith('y\r\ny\r\n')).toBe(true);
  expect(tail.endsWith('y\r\nEND\r\n')).toBe(true);
  expect(head.length + tail.length).toBe(MIB);
  expect(omitted).toBe(bytes - MIB);
});

test('what a program in a terminal wrote last arrives, however busy the server is when it ends', async () => {
  const running = stage.run('seq 1 2000', { tty: true });
  const giveUp = Date.now() + 10_000;
  while (existsSync(`/proc/${running.pid}`)) if (Date.now() > giveUp) throw new Error('it has not ended');
  await running.exited;
  expect(running.output()).toBe(Array.from({ length: 2000 }, (_, n) => `${n + 1}\r\n`).join(''));
});
