// @vitest-environment happy-dom
import type { SessionState } from '@tscodex/shared/session-state';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiProblem } from '../api/http.ts';
import { button, click, mount, press, query, session } from '../conversation/testing.ts';
import { RulesContext } from '../rules/rules-context.ts';
import { type Services, ServicesContext } from '../state/services.ts';
import { PermissionsButton } from './permissions-button.tsx';

const json = vi.fn<(method: string, path: string, body: unknown) => Promise<unknown>>();
const openRules = vi.fn<() => void>();
const services = { api: { json } } as unknown as Services;
let unmount: () => void = () => undefined;
beforeEach(() => {
  vi.clearAllMocks();
  json.mockResolvedValue(undefined);
});
afterEach(() => unmount());

function show(more: Partial<SessionState> = {}) {
  const view = (state: Partial<SessionState>) => (
    <ServicesContext value={services}>
      <RulesContext value={openRules}>
        <PermissionsButton state={session({ confined: true, ...state })} />
      </RulesContext>
    </ServicesContext>
  );
  const mounted = mount(view(more));
  unmount = mounted.unmount;
  return (state: Partial<SessionState>) => mounted.render(view({ ...more, ...state }));
}
const panel = () => query('[role="dialog"]');
const open = () => click(query('[aria-haspopup="dialog"]') as HTMLElement);
const nameOf = (radio: HTMLInputElement) => radio.nextElementSibling?.firstChild?.textContent;
const radios = () => [...document.querySelectorAll<HTMLInputElement>('input[type="radio"]')];
const radio = (name: string) => radios().find((one) => nameOf(one) === name) as HTMLInputElement;
const chosen = () => radios().flatMap((one) => (one.checked ? [nameOf(one)] : []));

test('it opens what commands may do and the settings as they are; Escape closes it', async () => {
  show({ networkAccess: true });
  expect(button('Permissions: confined: workspace-write, network').textContent).toContain('workspace-write');
  await open();
  expect(panel()?.textContent).toContain('They reach the network. What needs more asks first.');
  expect(chosen()).toEqual(['Workspace', 'On request', 'On']);
  expect(panel()?.textContent).not.toContain('cannot confine');
  await press(panel() as HTMLElement, 'Escape');
  expect(panel()).toBeNull();
});

test('a choice is saved at once and shown at once; the state has the last word', async () => {
  const render = show();
  await open();
  await click(radio('Read only'));
  await click(radio('On'));
  expect(chosen()).toEqual(['Read only', 'On request', 'On']);
  await vi.waitFor(() => expect(json).toHaveBeenCalledTimes(2));
  expect(json.mock.calls).toEqual([
    ['PATCH', 'api/sessions/s1', { sandbox: 'read-only' }],
    ['PATCH', 'api/sessions/s1', { network: true }],
  ]);
  render({ sandboxMode: 'read-only', networkAccess: true });
  expect(chosen()).toEqual(['Read only', 'On request', 'On']);
  // somebody else turns it back
  render({ sandboxMode: 'read-only', networkAccess: false });
  expect(chosen()).toEqual(['Read only', 'On request', 'Off']);
});

test('a refusal is told beside what was refused, and the setting is again what it was', async () => {
  json.mockRejectedValue(new ApiProblem('permissions.unattended', 'Only the configuration may.', 409));
  show({ approvalPolicy: 'never' });
  await open();
  await click(radio('Full access'));
  expect(query('fieldset [role="alert"]')?.textContent).toBe('Not changed. Only the configuration may.');
  expect(query('[role="alert"]')?.closest('fieldset')).toBe(radio('Full access').closest('fieldset'));
  expect(chosen()).toEqual(['Workspace', 'Never', 'Off']);
});

test('choices that follow each other are saved in their order', async () => {
  let answer: () => void = () => undefined;
  json.mockImplementationOnce(() => new Promise<void>((resolve) => (answer = resolve)));
  show();
  await open();
  await click(radio('Read only'));
  await click(radio('Full access'));
  expect(json).toHaveBeenCalledTimes(1);
  expect(chosen()[0]).toBe('Full access');
  answer();
  await vi.waitFor(() => expect(json).toHaveBeenCalledTimes(2));
  expect(json.mock.lastCall?.[2]).toEqual({ sandbox: 'danger-full-access' });
});

test('a machine that cannot confine says why, and how to mend it', async () => {
  show({ confined: false, sandboxProblem: { kind: 'bwrap-missing', detail: 'spawn bwrap ENOENT' } });
  expect(button('Permissions: not confined')).toBeTruthy();
  await open();
  const text = panel()?.textContent;
  for (const part of ['not installed', 'sudo apt install bubblewrap', 'The system said: spawn bwrap ENOENT'])
    expect(text).toContain(part);
  expect(text).toContain('each command and each change asks first');
});

test('the rules are a press away', async () => {
  show();
  await open();
  await click(button('Rules…'));
  expect(openRules).toHaveBeenCalledTimes(1);
});
