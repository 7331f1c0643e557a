import { execFileSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { CommandStage } from './commands.test-support.ts';
import { forgoCoreFiles } from './core-files.ts';

test('commands write no core files, unless they want to', async () => {
  const limit = (value: string) => execFileSync('prlimit', ['--pid', String(process.pid), `--core=${value}`]);
  const [soft] = execFileSync('bash', ['-c', 'ulimit -S -c'], { encoding: 'utf8' }).split('\n');
  onTestFinished(() => void limit(`${soft}:`));
  limit('unlimited:');
  const stage = await CommandStage.open();
  onTestFinished(() => stage.close());

  expect(await forgoCoreFiles()).toBe(true);
  const running = stage.run('ulimit -S -c; ulimit -S -c unlimited; ulimit -S -c');
  await running.exited;
  expect(running.output()).toBe('0\nunlimited\n');
});
