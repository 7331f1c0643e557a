import { expect, test } from 'vitest';
import { Failure } from '../base/errors.ts';
import { codexLine } from './codex-line.ts';

const versions = (version: string | null) => ({ of: async () => version });
const found = () => '/opt/codex';
const missing = () => {
  throw new Failure('unavailable', 'codex.missing', 'There is no Codex on the PATH of this server.');
};

test('which Codex it is, and what is to be known of it', async () => {
  expect(await codexLine(found, versions('0.171.0'), ['native'])).toEqual({
    ...{ level: 'info', text: 'Codex 0.171.0 for sessions on it: /opt/codex' },
  });
  expect(await codexLine(found, versions('0.180.0'), ['native'])).toMatchObject({
    ...{ level: 'warn', text: expect.stringMatching(/0\.180\.0.*tried with Codex 0\.171/) },
  });
  expect(await codexLine(found, versions('0.140.0'), ['codex'])).toMatchObject({
    ...{ level: 'warn', text: expect.stringContaining('too old') },
  });
  expect(await codexLine(found, versions('0.140.0'), ['codex-exec'])).toMatchObject({
    ...{ level: 'warn', text: expect.stringContaining('may differ') },
  });
  expect(await codexLine(found, versions(null), ['native'])).toMatchObject({ level: 'warn' });
});

test('where there is none nothing is said, unless sessions are to run on it', async () => {
  expect(await codexLine(missing, versions(null), ['native'])).toBeNull();
  expect(await codexLine(missing, versions(null), ['codex-exec'])).toMatchObject({
    ...{ level: 'warn', text: expect.stringContaining('no Codex') },
  });
});

test('that there is none is said where one workspace runs on it, or a program is named', async () => {
  expect(await codexLine(missing, versions(null), ['native', 'codex', 'native'])).toMatchObject({
    ...{ level: 'warn', text: expect.stringContaining('no Codex') },
  });
  const nowhere = () => {
    const details = { place: '/nowhere/codex' };
    throw new Failure('unavailable', 'codex.missing', 'There is no program at /nowhere/codex.', { details });
  };
  expect(await codexLine(nowhere, versions(null), ['native'])).toMatchObject({
    ...{ level: 'warn', text: expect.stringContaining('/nowhere/codex') },
  });
});

test('what is too old for one workspace is said', async () => {
  const both = await codexLine(found, versions('0.140.0'), ['codex-exec', 'codex']);
  expect(both).toMatchObject({ level: 'warn', text: expect.stringContaining('too old') });
  const exec = await codexLine(found, versions('0.140.0'), ['native', 'codex-exec']);
  expect(exec?.text).not.toContain('too old');
});
