import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandCeiling } from './command-ceiling.ts';
import { CommandStage } from './commands.test-support.ts';

let stages: CommandStage[];

beforeEach(async () => {
  const ceiling = new CommandCeiling(2);
  stages = [await CommandStage.open(ceiling), await CommandStage.open(ceiling)];
});

afterEach(async () => {
  for (const stage of stages) await stage.close();
});

test('no more commands than that run over all sessions, with what they left behind', async () => {
  const [one, other] = stages as [CommandStage, CommandStage];
  const command = one.run('sleep 420');
  await other.run('sleep 421 & true').exited;
  const refused = expect.objectContaining({
    code: 'exec.tooManyOnServer',
    message: '2 commands run on this server, over all sessions: stop one before starting another',
  });
  expect(() => one.run('true')).toThrow(refused);
  expect(() => other.run('true')).toThrow(refused);

  await command.stop();
  await other.run('true').exited;
  await other.processes.stopAll();
  // one that cannot be started takes no room
  for (let i = 0; i < 3; i++)
    expect(() => one.run('x', { argv: ['/no/such/shell'] })).toThrow(/could not be started/);
  await Promise.all([one.run('true').exited, other.run('true').exited]);
});
