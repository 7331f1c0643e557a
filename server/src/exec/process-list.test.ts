import { expect, onTestFinished, test, vi } from 'vitest';
import { CommandStage } from './commands.test-support.ts';
import { ProcessList, ProcessReader } from './process-list.ts';

test('what is below a process is found without looking through all for each', () => {
  const MANY = 2000;
  let looks = 0;
  const chain = Array.from({ length: MANY }, (_, n) => ({
    ...{ pid: n + 2, state: n === 5 ? 'Z' : 'S', group: 2, session: 2 },
    get parent() {
      looks++;
      return n + 1;
    },
  }));
  expect(new ProcessList(chain).below(1)).toHaveLength(MANY - 1);
  expect(looks).toBeLessThan(3 * MANY);
});

test('others have their turn while many processes are read; who asks meanwhile shares the next reading', {
  timeout: 120_000,
}, async () => {
  const stage = await CommandStage.open();
  onTestFinished(() => stage.close());
  const running = stage.run('for i in {1..300}; do sleep 350 & done; echo up; wait');
  await stage.until(running, 'up');
  const reader = new ProcessReader();
  let turns = 0;
  let reading = true;
  const count = () => {
    turns++;
    if (reading) setImmediate(count);
  };
  setImmediate(count);
  const first = reader.read();
  const [second, third] = [reader.read(), reader.read()];
  expect((await first).below(running.pid)).toHaveLength(300);
  reading = false;
  expect(turns).toBeGreaterThan(1);
  expect(await second).toBe(await third);
  expect(await second).not.toBe(await first);
  const kill = vi.spyOn(process, 'kill');
  await running.stop();
  // to a group the kernel looks at all that is in it
  expect(kill.mock.calls.length).toBeLessThan(100);
  kill.mockRestore();
  expect(stage.living()).toEqual([]);
});
