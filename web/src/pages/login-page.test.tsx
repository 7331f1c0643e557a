// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Api } from '../api/http.ts';
import { button, mount, query } from '../conversation/testing.ts';
import { LoginPage } from './login-page.tsx';

const base = new URL('http://box:6007/x/agent/');
const asked: [string, unknown][] = [];
const entered = vi.fn<(place: string) => void>();
let answers: Record<string, () => Response | Promise<Response>> = {};
let unmount: () => void = () => undefined;

beforeEach(() => {
  asked.length = 0;
  entered.mockClear();
  answers = { 'api/me': () => problem(401), 'api/login': () => Response.json({ name: null }) };
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    const path = url.pathname.slice(base.pathname.length);
    asked.push([path, init.body === undefined ? undefined : JSON.parse(String(init.body))]);
    return answers[path]?.();
  });
});
afterEach(() => {
  unmount();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const problem = (status: number, headers?: Record<string, string>) =>
  Response.json({ error: { code: 'login.x', message: 'The disk is full.' } }, { status, headers });

async function open(address: string): Promise<void> {
  const { pathname, search, hash } = new URL(address, base);
  vi.stubGlobal('location', { pathname, search, hash, replace: (place: URL) => entered(place.href) });
  await act(async () => {
    unmount = mount(<LoginPage api={new Api(base, () => expect.unreachable())} />).unmount;
  });
}

async function logInWith(password: string): Promise<void> {
  const field = query<HTMLInputElement>('input[type=password]') as HTMLInputElement;
  const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  await act(async () => {
    setter?.call(field, password);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await act(async () => button('Log in').click());
}

const said = () => query('[role=alert]')?.textContent;

test('a browser that is in moves on at once, to where it wanted to go', async () => {
  answers['api/me'] = () => Response.json({ name: null });
  await open('login?next=%2Fw%2Fdemo%2F%3Fsession%3D1');
  expect(entered.mock.calls).toEqual([['http://box:6007/x/agent/w/demo/?session=1']]);
});

test('the password opens the place', async () => {
  await open('login?next=%2Fw%2Fdemo%2F');
  expect(document.activeElement).toBe(query('input'));
  expect(query('label')?.textContent).toBe('Password');
  await logInWith('secret');
  expect(asked.at(-1)).toEqual(['api/login', { password: 'secret' }]);
  expect(entered.mock.calls).toEqual([['http://box:6007/x/agent/w/demo/']]);
});

test('a token in the fragment is used and gone from the address', async () => {
  const replaceState = vi.spyOn(history, 'replaceState').mockReturnValue();
  await open('login?next=%2F#token=t0k%2Ben');
  expect(replaceState).toHaveBeenCalledWith(null, '', '/x/agent/login?next=%2F');
  expect(asked.at(-1)).toEqual(['api/login', { token: 't0k+en' }]);
  expect(entered).toHaveBeenCalledWith(base.href);
});

test('no form is shown while the token logs in', async () => {
  let answer: (response: Response) => void = () => undefined;
  const waiting = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  answers['api/login'] = () => waiting;
  await open('login#token=old');
  expect(query('form')).toBeNull();
  await act(async () => answer(problem(401)));
  expect(query('form')).not.toBeNull();
});

test('a wrong password and a spent token are told apart', async () => {
  answers['api/login'] = () => problem(401);
  await open('login#token=old');
  expect(said()).toContain('token is not valid');
  await logInWith('nope');
  expect(said()).toContain('That is not the password');
  expect(entered).not.toHaveBeenCalled();
});

test('too many attempts: a countdown, then the button works again', async () => {
  answers['api/login'] = () => problem(429, { 'retry-after': '2' });
  await open('login');
  vi.useFakeTimers();
  await logInWith('nope');
  expect(said()).toBe('Too many attempts. Try again in 2 seconds.');
  expect(button('Log in').disabled).toBe(true);
  await act(async () => vi.advanceTimersByTime(1_000));
  expect(said()).toBe('Too many attempts. Try again in 1 second.');
  await act(async () => vi.advanceTimersByTime(1_000));
  expect(button('Log in').disabled).toBe(false);
});

test('any other failure is said as the server says it', async () => {
  answers['api/login'] = () => problem(503);
  await open('login');
  await logInWith('secret');
  expect(said()).toBe('The disk is full.');
});
