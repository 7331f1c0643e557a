// @vitest-environment happy-dom
import type { SessionGrant } from '@tscodex/shared/asks';
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

function show(more: Partial<SessionState> = {}, isThere = true) {
  const view = (more: Partial<SessionState>) => {
    const state = session({ confined: true, ...more });
    return (
      <ServicesContext value={services}>
        <RulesContext value={openRules}>
          <PermissionsButton held={state} session={isThere ? state : null} />
        </RulesContext>
      </ServicesContext>
    );
  };
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
  show({ networkAccess: true, ownPermissions: { network: true } });
  expect(button('Permissions: confined: workspace-write, network').textContent).toContain('workspace-write');
  await open();
  expect(panel()?.textContent).toContain('They reach the network. What needs more asks first.');
  expect(chosen()).toEqual(['As the workspace', 'As the workspace', 'On']);
  expect(panel()?.textContent).toContain('As the workspace Now: Workspace.');
  expect(panel()?.textContent).not.toContain('cannot confine');
  await press(panel() as HTMLElement, 'Escape');
  expect(panel()).toBeNull();
});

test('a choice is saved at once and shown at once; the state has the last word', async () => {
  const render = show();
  await open();
  await click(radio('Read only'));
  await click(radio('On'));
  expect(chosen()).toEqual(['Read only', 'As the workspace', 'On']);
  await vi.waitFor(() => expect(json).toHaveBeenCalledTimes(2));
  expect(json.mock.calls).toEqual([
    ['PATCH', 'api/sessions/s1', { sandbox: 'read-only' }],
    ['PATCH', 'api/sessions/s1', { network: true }],
  ]);
  render({ ownPermissions: { sandbox: 'read-only', network: true } });
  expect(chosen()).toEqual(['Read only', 'As the workspace', 'On']);
  // somebody else turns it back
  render({ ownPermissions: { sandbox: 'read-only', network: false } });
  expect(chosen()).toEqual(['Read only', 'As the workspace', 'Off']);
});

test('a setting is left to the workspace again, and says what comes of that', async () => {
  const render = show({
    ownPermissions: { sandbox: 'danger-full-access' },
    givenPermissions: { sandbox: 'read-only', approval: 'never', network: true },
  });
  await open();
  const texts = [...document.querySelectorAll('label')].map((one) => one.textContent);
  expect(texts.filter((text) => text?.startsWith('As the workspace'))).toEqual([
    'As the workspace Now: Read only.',
    'As the workspace Now: Never.',
    'As the workspace Now: On.',
  ]);
  await click(radio('As the workspace'));
  await vi.waitFor(() => expect(json).toHaveBeenCalledTimes(1));
  expect(json.mock.calls).toEqual([['PATCH', 'api/sessions/s1', { sandbox: null }]]);
  render({ ownPermissions: {}, sandboxMode: 'read-only' });
  expect(chosen()[0]).toBe('As the workspace');
});

test('a refusal is told beside what was refused, and the setting is again what it was', async () => {
  json.mockRejectedValue(new ApiProblem('permissions.unattended', 'Only the configuration may.', 409));
  show({ ownPermissions: { approval: 'never' } });
  await open();
  await click(radio('Full access'));
  expect(query('fieldset [role="alert"]')?.textContent).toBe('Not changed. Only the configuration may.');
  expect(query('[role="alert"]')?.closest('fieldset')).toBe(radio('Full access').closest('fieldset'));
  expect(chosen()).toEqual(['As the workspace', 'Never', 'As the workspace']);
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

test('before the first message it says how a new session begins, and sets nothing', async () => {
  show({ sandboxMode: 'read-only' }, false);
  await click(button('Permissions: confined: read-only'));
  expect(panel()?.textContent).toContain('They write nothing');
  expect(panel()?.textContent).toContain('Each new session begins like this.');
  expect(radios()).toEqual([]);
});

test('the rules are a press away', async () => {
  show();
  await open();
  await click(button('Rules…'));
  expect(openRules).toHaveBeenCalledTimes(1);
});

const grants: SessionGrant[] = [
  { id: 'a/1', what: 'command', command: 'make', cwd: '/srv', sandbox: 'none', by: 'Ada', at: '' },
  { id: 'b', what: 'patch', paths: ['/srv/lab/x', '/etc/y'], morePaths: 3, by: null, at: '' },
  { id: 'c', what: 'permissions', grants: { network: true, write: ['/data'] }, by: 'Bo', at: '' },
].map((one) => ({ ...one, at: new Date().toISOString() }) as SessionGrant);
const kept = () => [...document.querySelectorAll('section li')].map((one) => one.textContent);

test('what was allowed for the session is listed: what, where, by whom and when', async () => {
  json.mockResolvedValue({ grants });
  const render = show({ grantCount: 3 });
  await open();
  await vi.waitFor(() => expect(kept()).toHaveLength(3));
  expect(kept()).toEqual([
    'makein /srv · outside the sandboxallowed by Ada, nowTake back',
    'change /srv/lab/xchange /etc/yand 3 more filesallowed, nowTake back',
    'Every command and change mayuse the network write /dataallowed by Bo, nowTake back',
  ]);
  // somebody else takes one back
  json.mockResolvedValue({ grants: grants.slice(1) });
  render({ grantCount: 2 });
  await vi.waitFor(() => expect(kept()).toHaveLength(2));
});

test('an answer that another has overtaken is not shown', async () => {
  let late: (answer: unknown) => void = () => undefined;
  json.mockReturnValueOnce(new Promise((resolve) => (late = resolve)));
  const render = show({ grantCount: 3 });
  await open();
  json.mockResolvedValueOnce({ grants: grants.slice(1) });
  render({ grantCount: 2 });
  await vi.waitFor(() => expect(kept()).toHaveLength(2));
  late({ grants });
  await Promise.resolve();
  render({ grantCount: 2 });
  expect(kept()).toHaveLength(2);
});

test('one is taken back, and the list is read again', async () => {
  json.mockResolvedValueOnce({ grants });
  show({ grantCount: 3 });
  await open();
  await vi.waitFor(() => expect(kept()).toHaveLength(3));
  json.mockResolvedValueOnce(undefined).mockResolvedValueOnce({ grants: grants.slice(1) });
  button('Take back').focus();
  await click(button('Take back'));
  await vi.waitFor(() => expect(kept()).toHaveLength(2));
  // on the next one: Escape closes the panel still
  await vi.waitFor(() => expect(document.activeElement).toBe(button('Take back')));
  expect(json.mock.calls.map(([method, path]) => `${method} ${path}`)).toEqual([
    'GET api/sessions/s1/grants',
    'DELETE api/sessions/s1/grants/a%2F1',
    'GET api/sessions/s1/grants',
  ]);
});

test('one that somebody was quicker with is told, and gone', async () => {
  json.mockResolvedValueOnce({ grants });
  show({ grantCount: 3 });
  await open();
  await vi.waitFor(() => expect(kept()).toHaveLength(3));
  json.mockRejectedValueOnce(new ApiProblem('grant.unknown', 'Not allowed any more.', 404));
  json.mockResolvedValueOnce({ grants: [] });
  await click(button('Take back'));
  await vi.waitFor(() =>
    expect(query('section [role="alert"]')?.textContent).toBe('Not taken back. Not allowed any more.'),
  );
  expect(kept()).toEqual([]);
});

test('where nothing was allowed nothing is asked for; a list that could not be read says so', async () => {
  const render = show();
  await open();
  expect([json.mock.calls, panel()?.textContent?.includes('Allowed for this session')]).toEqual([[], false]);
  json.mockRejectedValue(new Error('No answer.'));
  render({ grantCount: 1 });
  await vi.waitFor(() =>
    expect(query('section [role="alert"]')?.textContent).toBe(
      'What was allowed could not be read. No answer.',
    ),
  );
});

test('of an agent that can ask nobody, nothing says that it asks', async () => {
  show({ backend: 'codex-exec', approvalPolicy: 'on-request' });
  await open();
  expect(query('[role="dialog"] [role="status"]')?.textContent).toContain('Nobody is asked');
  expect(panel()?.textContent).toContain('never asks');
  expect(panel()?.textContent).toContain('As the workspace Now: Never.');
  expect(panel()?.textContent).not.toMatch(/each one asks first|Now: On request/);
});
