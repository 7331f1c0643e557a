// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { button, click, mount, press, query } from '../conversation/testing.ts';
import { Dialog } from './dialog.tsx';

let unmount: () => void = () => undefined;
afterEach(() => unmount());

function show() {
  const onClose = vi.fn<() => void>();
  const onSubmit = vi.fn<(event: { preventDefault(): void }) => void>((event) => event.preventDefault());
  const opened = mount(
    <Dialog title="Things" onClose={onClose}>
      <form onSubmit={onSubmit}>
        <input name="thing" />
      </form>
    </Dialog>,
  );
  unmount = opened.unmount;
  return { onClose, opened };
}

test('its first field has the focus, and it is named by its title', () => {
  show();
  expect(document.activeElement).toBe(query('input'));
  const dialog = query('dialog');
  expect(document.getElementById(dialog?.getAttribute('aria-labelledby') ?? '')?.textContent).toBe('Things');
});

test('its cross closes it', async () => {
  const { onClose } = show();
  await click(button('Close'));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('a press beside it closes it, a press inside does not', async () => {
  const { onClose } = show();
  const dialog = query('dialog') as HTMLElement;
  await click(query('input') as HTMLElement);
  // a selection that began inside
  query('input')?.dispatchEvent(new Event('pointerdown', { bubbles: true }));
  await click(dialog);
  expect(onClose).not.toHaveBeenCalled();
  dialog.dispatchEvent(new Event('pointerdown', { bubbles: true }));
  await click(dialog);
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('O-F2: the Enter of an input method sends no form, also as Safari tells it', async () => {
  show();
  const prevented: boolean[] = [];
  const watch = (event: Event) => prevented.push(event.defaultPrevented);
  document.addEventListener('keydown', watch);
  const field = query('input') as HTMLElement;
  await press(field, 'Enter', { isComposing: true, keyCode: 229 });
  await press(field, 'Enter', { keyCode: 229 });
  await press(field, 'Enter', { keyCode: 13 });
  document.removeEventListener('keydown', watch);
  expect(prevented).toEqual([true, true, false]);
});

test('one that is opened from it and closed again leaves it open', async () => {
  const onClose = vi.fn<() => void>();
  const onInnerClose = vi.fn<() => void>();
  unmount = mount(
    <Dialog title="Things" onClose={onClose}>
      <Dialog title="One of them" onClose={onInnerClose}>
        <p>It</p>
      </Dialog>
    </Dialog>,
  ).unmount;
  await act(async () => document.querySelectorAll('dialog')[1]?.close());
  expect(onInnerClose).toHaveBeenCalledTimes(1);
  expect(onClose).not.toHaveBeenCalled();
});
