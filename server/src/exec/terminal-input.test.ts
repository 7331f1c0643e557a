import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandStage } from './commands.test-support.ts';
import { MOST_WAITING } from './terminal-input.ts';

let stage: CommandStage;
beforeEach(async () => {
  stage = await CommandStage.open();
});
afterEach(() => stage.close());

test('what a program does not read holds up nobody, is bounded, and does not keep it from being stopped', async () => {
  const deaf = stage.run('stty raw -echo; echo ready; exec sleep 340', { tty: true });
  await stage.until(deaf, 'ready');
  // the terminal itself holds up to 64 KiB, and takes its time
  const chars = 'x'.repeat(MOST_WAITING / 4);
  await stage.eventually(() => expect(deaf.write(chars)).toBe(false));
  const other = stage.run('echo meanwhile');
  await other.exited;
  expect(other.output()).toBe('meanwhile\n');
  expect(deaf.unread).toBeGreaterThan(MOST_WAITING / 2);
  expect(deaf.unread).toBeLessThanOrEqual(MOST_WAITING);
  await deaf.stop();
  expect(deaf.exit?.signal).not.toBeNull();
  expect(deaf.write('late')).toBe(true);
});

test('a program that reads late gets all of it, in order', async () => {
  const script = 'stty raw -echo; echo ready; until [ -e go ]; do sleep 0.05; done; head -c 60000 | md5sum';
  const late = stage.run(script, { tty: true });
  await stage.until(late, 'ready');
  const lines = Array.from({ length: 7500 }, (_, n) => `${n}`.padStart(7, '0'));
  for (const line of lines) expect(late.write(`${line}\n`)).toBe(true);
  const whole = stage.run('touch go; for n in $(seq -f %07.0f 0 7499); do echo $n; done | md5sum');
  await Promise.all([whole.exited, late.exited]);
  expect(late.output()).toContain(whole.output().trim());
  expect(late.unread).toBe(0);
});

test('what lets go of its terminal a moment before it ends has an end of its own', async () => {
  const command = 'echo bye; exec 0<&- 1>&- 2>&-; /bin/true; exit 4';
  const running = stage.run(command, { tty: true });
  expect(await running.exited).toEqual({ exitCode: 4, signal: null });
  expect(running.output()).toBe('bye\r\n');
});
