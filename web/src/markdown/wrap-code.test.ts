// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
  document.body.innerHTML = ['a', 'b']
    .map(() => '<div data-code="scroll"><button data-wrap aria-pressed="false">Wrap</button></div>')
    .join('');
});

const button = () => document.querySelector('[data-wrap]') as Element;
const state = () =>
  [...document.querySelectorAll('[data-code]')].map((block) => [
    block.getAttribute('data-code'),
    block.querySelector('button')?.getAttribute('aria-pressed'),
  ]);

test('one choice for all blocks, remembered by the device', async () => {
  const { toggleWrap, wrapsCode } = await import('./wrap-code.ts');
  toggleWrap(document.body);
  expect(wrapsCode()).toBe(false);
  toggleWrap(button());
  expect(state()).toEqual([
    ['wrap', 'true'],
    ['wrap', 'true'],
  ]);
  vi.resetModules();
  const again = await import('./wrap-code.ts');
  expect(again.wrapsCode()).toBe(true);
  again.toggleWrap(button());
  expect([again.wrapsCode(), localStorage.length]).toEqual([false, 0]);
});

test('a browser without storage remembers it as long as the page lives', async () => {
  const refuse = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('no');
  });
  const { toggleWrap, wrapsCode } = await import('./wrap-code.ts');
  toggleWrap(button());
  expect(wrapsCode()).toBe(true);
  refuse.mockRestore();
});
