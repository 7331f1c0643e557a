/** What component tests share: a page to mount into, a person's hands, a session and a server that remembers. */
import { emptySession, type SessionState } from '@tscodex/shared/session-state';
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { vi } from 'vitest';
import type { SessionActions } from '../state/actions.ts';

/** Renders into a fresh document body. */
export function mount(node: ReactNode): { render: (node: ReactNode) => void; unmount: () => void } {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.replaceChildren(document.createElement('main'));
  const root = createRoot(document.body.firstElementChild as HTMLElement);
  const render = (next: ReactNode) => act(() => root.render(next));
  render(node);
  return { render, unmount: () => act(() => root.unmount()) };
}

export function query<Found extends HTMLElement>(selector: string): Found | null {
  return document.querySelector<Found>(selector);
}

export function button(name: string): HTMLButtonElement {
  const all = [...document.querySelectorAll('button')];
  const found = all.find(
    (one) => one.textContent?.trim() === name || one.getAttribute('aria-label') === name,
  );
  if (!found) throw new Error(`no button ${name} among ${all.map((one) => one.textContent).join(', ')}`);
  return found;
}

export async function click(element: HTMLElement): Promise<void> {
  await act(async () => element.click());
}

/** Types a whole text, as an input method or a paste would. */
export async function type(field: HTMLTextAreaElement | HTMLInputElement, text: string): Promise<void> {
  // React looks for changes of the value behind its own setter
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set;
  await act(async () => {
    setter?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

/** `keyCode` 229 is a key that an input method took. */
export async function press(
  target: EventTarget,
  key: string,
  more: { keyCode?: number; isComposing?: boolean; shiftKey?: boolean; altKey?: boolean } = {},
): Promise<void> {
  const { keyCode = 0, ...init } = more;
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init });
  Object.defineProperty(event, 'keyCode', { value: keyCode });
  Object.defineProperty(event, 'isComposing', { value: init.isComposing ?? false });
  await act(async () => void target.dispatchEvent(event));
}

export function session(more: Partial<SessionState> = {}): SessionState {
  const about = { id: 's1', workspaceId: 'w', cwd: '/srv/lab', createdAt: '2026-01-01T00:00:00.000Z' };
  return emptySession({ ...about, ...more });
}

/** Actions that succeed and are remembered; a test may give one another end. */
export function server() {
  return {
    send: vi.fn<SessionActions['send']>(async () => undefined),
    changeInput: vi.fn<SessionActions['changeInput']>(async () => undefined),
    withdrawInput: vi.fn<SessionActions['withdrawInput']>(async () => undefined),
    interrupt: vi.fn<SessionActions['interrupt']>(async () => undefined),
    resume: vi.fn<SessionActions['resume']>(async () => undefined),
    answer: vi.fn<SessionActions['answer']>(async () => undefined),
    stopCommand: vi.fn<SessionActions['stopCommand']>(async () => undefined),
    stopClock: vi.fn<SessionActions['stopClock']>(async () => undefined),
    page: vi.fn<SessionActions['page']>(async () => ({ items: [], older: null, newer: null })),
    find: vi.fn<SessionActions['find']>(async () => ({ itemIds: [], cut: false })),
    output: vi.fn<SessionActions['output']>(async () => ''),
    change: vi.fn<SessionActions['change']>(async () => undefined),
    models: vi.fn<SessionActions['models']>(async () => []),
    fork: vi.fn<SessionActions['fork']>(async () => 'fork'),
  } satisfies SessionActions;
}
