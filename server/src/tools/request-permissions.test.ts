import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Approval } from '@tscodex/shared/asks';
import type { Grants } from '@tscodex/shared/permissions';
import { expect, test } from 'vitest';
import type { Policy } from '../approvals/decide.ts';
import { requestPermissions } from './request-permissions.ts';
import type { ApprovalDecision, ToolContext } from './tool.ts';

const held = { mode: 'read-only', network: false, roots: [], write: [], hidden: [], readable: [] };

/** What was asked with which keys, and what the model read. */
async function request(
  args: object,
  over: { policy?: Partial<Policy>; answer?: ApprovalDecision; held?: null } = {},
) {
  const asked: { approval: Approval; keys: readonly string[] }[] = [];
  const context = {
    cwd: tmpdir(),
    policy: {
      ...{ approval: 'on-request', sandbox: 'read-only', confined: true, unattended: false },
      granted: () => false,
      ...over.policy,
    },
    holding: {
      confinement: (_grants: Grants) => (over.held === null ? null : held),
      never: { places: ['/srv/state'], except: [], files: [] },
    },
    ask: {
      approve: async (approval: Approval, keys: readonly string[]) => {
        asked.push({ approval, keys });
        return over.answer ?? { allowed: true, scope: 'once' };
      },
    },
    allowedBy: () => null,
    begin: async () => undefined,
  } as unknown as ToolContext;
  return { asked, ...(await requestPermissions.call(JSON.stringify(args), context)) };
}

const permissions = { network: { enabled: true }, file_system: { write: ['.'] } };

test('people are asked for each thing by its resolved path', async () => {
  const cwd = await realpath(tmpdir());
  const { asked, output, success } = await request({ reason: 'to install', permissions });
  expect(asked).toEqual([
    {
      approval: {
        ...{ what: 'permissions', cwd: tmpdir(), reason: 'to install', sandbox: 'read-only' },
        grants: { network: true, write: [cwd] },
      },
      keys: ['permission:network', `permission:write:${cwd}`],
    },
  ]);
  expect([output, success]).toEqual([`Allowed: {"network":true,"write":["${cwd}"]}`, true]);
});

test('what was allowed before is not asked again', async () => {
  const { asked, success } = await request({ permissions }, { policy: { granted: () => true } });
  expect([asked, success]).toEqual([[], true]);
});

test('what people decline, and where nobody may be asked', async () => {
  const declined = await request({ permissions }, { answer: { allowed: false, reason: 'not now' } });
  expect([declined.output, declined.success]).toEqual([
    'These permissions were declined by the user. They say: not now',
    false,
  ]);
  const refused = await request({ permissions }, { policy: { approval: 'never' } });
  expect(refused.output).toContain('Do not call request_permissions');
  expect(refused.asked).toEqual([]);
});

test.each([
  [{ permissions: {} }, 'it asks for nothing'],
  [{ permissions: { network: { enabled: false } } }, 'it asks for nothing'],
  [{ permissions: { file_system: { read: ['/no/such/place'] } } }, 'does not exist'],
  [{ permissions: { file_system: { read: ['/'] } } }, 'cannot be allowed by anybody'],
])('what makes no sense is not asked: %j', async (args, why) => {
  const { asked, output, success } = await request(args);
  expect(output).toContain(why);
  expect([asked, success]).toEqual([[], false]);
});

test('where nothing confines there is nothing to allow', async () => {
  const { asked, output } = await request({ permissions }, { held: null });
  expect(output).toContain('nothing confines commands');
  expect(asked).toEqual([]);
});
