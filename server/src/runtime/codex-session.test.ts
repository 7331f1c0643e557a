import { expect, test } from 'vitest';
import type { Config } from '../base/config/config.ts';
import { heldByCodex } from './codex-session.ts';

const config = (unattended: boolean) => ({ unattended }) as Config;

test('where nothing is confined, Codex asks about all that it does not trust', () => {
  const full = { sandbox: 'danger-full-access', approval: 'on-request', network: true } as const;
  expect(heldByCodex(full, config(false))).toEqual({ ...full, approval: 'untrusted' });
  const confined = { ...full, sandbox: 'workspace-write' } as const;
  expect(heldByCodex(confined, config(false))).toEqual(confined);
});

test('full access without ever asking is only for a server that was started so', () => {
  const never = { sandbox: 'danger-full-access', approval: 'never', network: true } as const;
  expect(() => heldByCodex(never, config(false))).toThrow(
    expect.objectContaining({ code: 'permissions.unattended' }),
  );
  expect(heldByCodex(never, config(true))).toEqual(never);
});
