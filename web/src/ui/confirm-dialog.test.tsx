// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { button, click, mount, query } from '../conversation/testing.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

let unmount: () => void = () => undefined;
afterEach(() => unmount());

test.each([
  ['Cancel', 'no'],
  ['Stop it', 'yes'],
])('%s closes the dialog, which gives the focus back, before it is told', async (name, answer) => {
  const told = vi.fn<(answer: string, isOpen: boolean | undefined) => void>();
  const tell = (said: string) => told(said, query<HTMLDialogElement>('dialog')?.open);
  const dialog = (
    <ConfirmDialog
      title="Stop?"
      text="It works."
      confirm="Stop it"
      onConfirm={() => tell('yes')}
      onCancel={() => tell('no')}
    />
  );
  unmount = mount(dialog).unmount;
  await click(button(name));
  expect(told.mock.calls).toEqual([[answer, false]]);
});
