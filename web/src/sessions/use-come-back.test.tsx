// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { button, click, mount, query } from '../conversation/testing.ts';
import { type Services, ServicesContext } from '../state/services.ts';
import { useComeBack } from './use-come-back.tsx';

let unmount: () => void = () => undefined;
afterEach(() => unmount());

function show(code: string, message: string) {
  const asked: string[] = [];
  const json = async (method: string, path: string, body?: unknown) => {
    asked.push([method, path, ...(body === undefined ? [] : [JSON.stringify(body)])].join(' '));
  };
  const retry = vi.fn<() => void>();
  function Away() {
    const away = useComeBack('w', 's', { problem: { code, message }, retry });
    return (
      <p>
        {away?.why} {away?.button}
      </p>
    );
  }
  const services = { api: { json } } as unknown as Services;
  unmount = mount(
    <ServicesContext value={services}>
      <Away />
    </ServicesContext>,
  ).unmount;
  return { asked, retry };
}

test('a session that was deleted is restored, with its tab', async () => {
  const { asked, retry } = show('session.deleted', 'It was deleted.');
  expect(query('p')?.textContent).toBe('It was deleted. Restore it');
  await click(button('Restore it'));
  expect(asked).toEqual(['POST api/catalog/s/restore', 'POST api/workspaces/w/sessions {"resume":"s"}']);
  expect(retry).toHaveBeenCalledTimes(1);
});

test('one that is closed is opened again', async () => {
  const { asked, retry } = show('session.unknown', 'It is not open.');
  await click(button('Open it again'));
  expect(asked).toEqual(['POST api/workspaces/w/sessions {"resume":"s"}']);
  expect(retry).toHaveBeenCalledTimes(1);
});
