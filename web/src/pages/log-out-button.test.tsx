// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { Api } from '../api/http.ts';
import { button, click, mount, query } from '../conversation/testing.ts';
import { connectServices, type Services, ServicesContext } from '../state/services.ts';
import { LogOutButton } from './log-out-button.tsx';

let unmount: () => void = () => undefined;
afterEach(() => {
  unmount();
  vi.unstubAllGlobals();
});

/** Services whose live connection never comes up. */
function services(): Services {
  vi.stubGlobal('WebSocket', EventTarget);
  return connectServices(new Api(new URL('http://box/'), () => expect.unreachable()));
}

test('a server that cannot be reached leaves one logged in, and that is said', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  const page = (
    <ServicesContext value={services()}>
      <LogOutButton />
    </ServicesContext>
  );
  unmount = mount(page).unmount;
  await click(button('Log out'));
  expect(query('[role=alert]')?.textContent).toMatch(/^Still logged in\. The server cannot be reached/);
  expect(button('Log out').disabled).toBe(false);
});
