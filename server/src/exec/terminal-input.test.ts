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
  expect(deaf.write('x'.repeat(MOST_WAITING))).toBe(true);
  expect(deaf.unread).toBeGreaterThan(0);
  const other = stage.run('echo meanwhile');
  await other.exited;
  expect(other.output()).toBe('meanwhile\n');
  const { unread } = deaf;
  expect(deaf.write('y'.repeat(MOST_WAITING - unread + 1))).toBe(false);
  expect(deaf.unread).toBe(unread);
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
