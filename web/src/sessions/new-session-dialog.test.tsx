// @vitest-environment happy-dom
import type { SessionList } from '@tscodex/shared/workspace';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { button, click, mount, query } from '../conversation/testing.ts';
import { type Services, ServicesContext } from '../state/services.ts';
import { NewSessionDialog } from './new-session-dialog.tsx';

const demo = { id: 'demo', label: 'Demo', demo: true };
const large = { id: 'large', label: 'large', demo: false };
const list = (
  profiles: SessionList['profiles'],
  backends: SessionList['backends'] = [{ id: 'native' }],
): SessionList => ({
  ...{ sessions: [], closed: [], models: [large, demo], profiles, backends },
});

let unmount: () => void = () => undefined;
afterEach(() => unmount());

/** The bodies that sessions were asked for with. */
async function show(answer: SessionList): Promise<unknown[]> {
  const asked: unknown[] = [];
  const json = vi.fn(async (method: string, _path: string, body?: unknown) => {
    if (method === 'GET') return answer;
    asked.push(body);
    return { session: { id: 's' } };
  });
  await act(async () => {
    unmount = mount(
      <ServicesContext value={{ api: { json } } as unknown as Services}>
        <NewSessionDialog
          workspaceId="w"
          dir="~/lab"
          models={[demo]}
          onCreated={() => undefined}
          onClose={() => undefined}
        />
      </ServicesContext>,
    ).unmount;
  });
  return asked;
}

const field = (name: string) => {
  const label = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === name);
  return label ? query<HTMLSelectElement>(`select[id="${label.htmlFor}"]`) : null;
};
const words = (name: string) => [...(field(name)?.options ?? [])].map(({ text }) => text);
const pick = (name: string, value: string) =>
  act(async () => {
    const select = field(name) as HTMLSelectElement;
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });

test('without profiles there is no such choice; the models are those of now', async () => {
  const asked = await show(list([]));
  expect(field('Profile')).toBeNull();
  expect(words('Model')).toEqual(['large', 'Demo model, no AI']);
  await click(button('Create'));
  expect(asked).toEqual([{ model: 'large' }]);
});

test('a profile brings its model, which need not be named', async () => {
  const asked = await show(
    list([
      { name: 'fast', model: 'small' },
      { name: 'half', model: null },
    ]),
  );
  expect(words('Profile')).toEqual(['As the server was started', 'fast · small', 'half']);
  await pick('Model', 'demo');
  await pick('Profile', 'half');
  expect(words('Model')).toEqual(['Configured model, incomplete', 'Demo model, no AI']);
  await pick('Profile', 'fast');
  expect(words('Model')).toEqual(['small', 'Demo model, no AI']);
  await click(button('Create'));
  await pick('Model', 'demo');
  await click(button('Create'));
  expect(asked).toEqual([{ profile: 'fast' }, { profile: 'fast', model: 'demo' }]);
});

test('a profile that cannot be used is shown with its reason, and cannot be chosen', async () => {
  const problem = { code: 'config.model', message: 'provider x is not known' };
  await show(
    list([
      { name: 'fast', model: 'small' },
      { name: 'half', model: null, problem },
    ]),
  );
  const [, fast, half] = [...(field('Profile')?.options ?? [])];
  expect([fast?.disabled, half?.disabled]).toEqual([false, true]);
  expect([half?.text, half?.title]).toEqual(['half · cannot be used', 'provider x is not known']);
});

test('on Codex the model is its own; one that cannot be used says why', async () => {
  const asked = await show(list([{ name: 'fast', model: 'small' }], [{ id: 'native' }, { id: 'codex' }]));
  expect(words('Agent')).toEqual([
    'tscodex, with the model below',
    'Codex, as it is installed on the server',
  ]);
  await pick('Agent', 'codex');
  expect(field('Profile')).toBeNull();
  expect(field('Model')).toMatchObject({ disabled: true, value: '' });
  // both are in what it is given; README says so as well
  expect(document.body.textContent).toContain(
    'It knows the board, and the clock in sessions that begin here',
  );
  await click(button('Create'));
  expect(asked).toEqual([{ backend: 'codex' }]);
  unmount();

  const problem = { code: 'codex.missing', message: 'There is no Codex on the PATH of this server' };
  await show(list([], [{ id: 'native' }, { id: 'codex', problem }]));
  const option = field('Agent')?.options[1];
  const broken = 'Codex, as it is installed on the server · cannot be used';
  expect(option).toMatchObject({ disabled: true, text: broken });
  expect(document.body.textContent).toContain('Codex cannot be used: There is no Codex on the PATH');
});

test('of Codex its version is shown, what of it was not tried, and what one process a turn does not do', async () => {
  const notice = { code: 'codex.untested', message: 'This server was tried with Codex 0.171.' };
  const codex = { version: '0.180.0', notice };
  const asked = await show(
    list([], [{ id: 'native' }, { id: 'codex', ...codex }, { id: 'codex-exec', ...codex }]),
  );
  expect(words('Agent').slice(1)).toEqual([
    'Codex, as it is installed on the server · 0.180.0',
    'Codex, one process a turn (codex exec) · 0.180.0',
  ]);
  expect(document.body.textContent).not.toContain(notice.message);
  await pick('Agent', 'codex-exec');
  const about = document.getElementById(field('Agent')?.getAttribute('aria-describedby') ?? '')?.textContent;
  expect(about).toContain('It asks nobody');
  expect(about).toContain(notice.message);
  await click(button('Create'));
  expect(asked).toEqual([{ backend: 'codex-exec' }]);
});
