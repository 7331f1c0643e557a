// @vitest-environment happy-dom
import { act, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { lateDialog } from './late-dialog.tsx';

test('a dialog that cannot be fetched says so in its place, and can be closed', async () => {
  const Late = lateDialog<{ onClose: () => void }>(() => Promise.reject(new TypeError('Failed to fetch')));
  const onClose = vi.fn();
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  await act(async () =>
    root.render(
      <>
        <p>behind</p>
        <Suspense fallback={null}>
          <Late onClose={onClose} />
        </Suspense>
      </>,
    ),
  );
  expect(document.body.textContent).toContain('behind');
  expect(document.querySelector('dialog [role=alert]')?.textContent).toContain('could not be fetched');
  await act(async () => document.querySelector<HTMLElement>('button[aria-label="Close"]')?.click());
  expect(onClose).toHaveBeenCalledOnce();
});
