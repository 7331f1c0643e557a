// @vitest-environment happy-dom
import type { ModelChoice } from '@tscodex/shared/workspace';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { click, mount, press, query } from '../conversation/testing.ts';
import { NewSessionButton } from './new-session-button.tsx';

const demo: ModelChoice = { id: 'demo', label: 'Demo', demo: true };
const real: ModelChoice = { id: 'gpt', label: 'GPT', demo: false };

let unmount: () => void = () => undefined;
afterEach(() => unmount());

function show(models: ModelChoice[], disabled = false) {
  const onCreate = vi.fn<(model?: string) => void>();
  unmount = mount(<NewSessionButton models={models} disabled={disabled} onCreate={onCreate} />).unmount;
  return onCreate;
}
const altN = (more: KeyboardEventInit = {}) =>
  act(async () => {
    dispatchEvent(new KeyboardEvent('keydown', { key: '˜', code: 'KeyN', altKey: true, ...more }));
  });

test('Alt+N creates, wherever the letter is; held down it does so once', async () => {
  const onCreate = show([demo]);
  await altN();
  await altN({ repeat: true });
  await altN({ ctrlKey: true });
  expect(onCreate.mock.calls).toEqual([[]]);
});

test('Option+N on a Mac is a letter while one writes', async () => {
  const onCreate = show([demo]);
  const field = document.body.appendChild(document.createElement('textarea'));
  const key = { key: '˜', code: 'KeyN', altKey: true, bubbles: true, cancelable: true };
  const platform = vi.spyOn(navigator, 'platform', 'get').mockReturnValue('MacIntel');
  const onMac = new KeyboardEvent('keydown', key);
  await act(async () => void field.dispatchEvent(onMac));
  expect(onMac.defaultPrevented).toBe(false);
  expect(onCreate).not.toHaveBeenCalled();
  await altN();
  expect(onCreate).toHaveBeenCalledTimes(1);
  platform.mockReturnValue('Linux x86_64');
  await act(async () => void field.dispatchEvent(new KeyboardEvent('keydown', key)));
  expect(onCreate).toHaveBeenCalledTimes(2);
  platform.mockRestore();
});

test('nothing is created while one is being created', async () => {
  const onCreate = show([demo], true);
  await altN();
  expect(onCreate).not.toHaveBeenCalled();
});

test('one model leaves nothing to choose', () => {
  show([real]);
  expect(query('[aria-haspopup=menu]')).toBeNull();
});

test('several can be chosen from by keyboard; the demo is called what it is', async () => {
  const onCreate = show([demo, real]);
  const opener = query('[aria-haspopup=menu]') as HTMLElement;
  opener.focus();
  await click(opener);
  const entries = [...document.querySelectorAll<HTMLElement>('[role=menuitem]')];
  expect(entries.map((entry) => entry.textContent)).toEqual(['Demo model, no AI', 'GPT']);
  expect(document.activeElement).toBe(entries[0]);
  await press(entries[0] as HTMLElement, 'ArrowUp');
  expect(document.activeElement).toBe(entries[1]);
  await press(entries[1] as HTMLElement, 'Escape', { isComposing: true, keyCode: 229 });
  expect(query('[role=menu]')).not.toBeNull();
  await click(entries[1] as HTMLElement);
  expect(onCreate.mock.calls).toEqual([['gpt']]);
  expect(query('[role=menu]')).toBeNull();
  expect(document.activeElement).toBe(opener);
});
