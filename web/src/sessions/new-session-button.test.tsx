// @vitest-environment happy-dom
import type { ModelChoice } from '@tscodex/shared/workspace';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { mount } from '../conversation/testing.ts';
import { NewSessionButton } from './new-session-button.tsx';

const demo: ModelChoice = { id: 'demo', label: 'Demo', demo: true };

let unmount: () => void = () => undefined;
afterEach(() => unmount());

function show(models: ModelChoice[], disabled = false) {
  const create = vi.fn<() => Promise<void>>(async () => undefined);
  const creation = { create, creating: false };
  unmount = mount(
    <NewSessionButton
      workspaceId="w"
      dir="~/lab"
      models={models}
      disabled={disabled}
      creation={creation}
      onCreated={() => undefined}
    />,
  ).unmount;
  return create;
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

test('a dialog that wants an answer keeps Alt+N from going past it', async () => {
  const onCreate = show([demo]);
  const dialog = document.body.appendChild(document.createElement('dialog'));
  dialog.showModal();
  await altN();
  expect(onCreate).not.toHaveBeenCalled();
  dialog.close();
  await altN();
  expect(onCreate).toHaveBeenCalledTimes(1);
});
