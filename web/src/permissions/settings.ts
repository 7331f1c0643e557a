/** The three settings by which permissions are chosen, and what each may be. Pure. */
import type { Permissions } from '@tscodex/shared/permissions';

export type Setting = keyof Permissions;
export const SETTINGS: readonly Setting[] = ['sandbox', 'approval', 'network'];

/** What each may be, with the keys of its name and of a line about it. */
export const VALUES = {
  sandbox: [
    {
      value: 'read-only',
      name: 'permissions.sandbox.read-only',
      about: 'permissions.sandbox.read-only.about',
    },
    {
      value: 'workspace-write',
      name: 'permissions.sandbox.workspace-write',
      about: 'permissions.sandbox.workspace-write.about',
    },
    {
      value: 'danger-full-access',
      name: 'permissions.sandbox.danger-full-access',
      about: 'permissions.sandbox.danger-full-access.about',
    },
  ],
  approval: [
    {
      value: 'untrusted',
      name: 'permissions.approval.untrusted',
      about: 'permissions.approval.untrusted.about',
    },
    {
      value: 'on-request',
      name: 'permissions.approval.on-request',
      about: 'permissions.approval.on-request.about',
    },
    { value: 'never', name: 'permissions.approval.never', about: 'permissions.approval.never.about' },
  ],
  network: [
    { value: 'off', name: 'permissions.network.off', about: 'permissions.network.off.about' },
    { value: 'on', name: 'permissions.network.on', about: 'permissions.network.on.about' },
  ],
} as const satisfies Record<Setting, readonly { value: string; name: string; about: string }[]>;

export function isSetting(field: string): field is Setting {
  return SETTINGS.some((one) => one === field);
}

/** The key of a value's name. */
export function nameOf(setting: Setting, value: string) {
  return VALUES[setting].find((one) => one.value === value)?.name ?? 'permissions.fromServer';
}

/** As a form has them; '' for what is not said. */
export type Chosen = Record<Setting, string>;

export function chosenOf({ sandbox, approval, network }: Partial<Permissions>): Chosen {
  return {
    sandbox: sandbox ?? '',
    approval: approval ?? '',
    network: network === undefined ? '' : network ? 'on' : 'off',
  };
}

/** A part of them as the server takes them: null for ''. */
export function changeOf(chosen: Partial<Chosen>): PermissionsChange {
  const entries = Object.entries(chosen).map(([setting, value]) => [
    setting,
    value === '' ? null : setting === 'network' ? value === 'on' : value,
  ]);
  return Object.fromEntries(entries) as PermissionsChange;
}
type PermissionsChange = { [Key in Setting]?: Permissions[Key] | null };
