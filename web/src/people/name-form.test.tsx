// @vitest-environment happy-dom
import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { ApiProblem } from '../api/http.ts';
import { button, click, mount, press, query } from '../conversation/testing.ts';
import type { People } from '../state/people-store.ts';
import { type Services, ServicesContext } from '../state/services.ts';
import { NameForm } from './name-form.tsx';

function show(json = vi.fn(async () => ({ id: 'a', name: 'Ada' }))) {
  const people = createStore<People>(() => ({ me: { id: 'a', name: null }, home: '', people: [], more: 0 }));
  const onSaved = vi.fn();
  mount(
    <ServicesContext value={{ api: { json }, people } as unknown as Services}>
      <NameForm label="Name" name="" onSaved={onSaved} />
    </ServicesContext>,
  );
  return { json, people, onSaved };
}

async function fill(text: string): Promise<HTMLInputElement> {
  const field = query<HTMLInputElement>('input') as HTMLInputElement;
  const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  await act(async () => {
    setter?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  return field;
}

test('a name is sent as typed and known at once', async () => {
  const { json, people, onSaved } = show();
  await fill('Ada');
  await click(button('Save'));
  expect(json).toHaveBeenCalledExactlyOnceWith('PUT', 'api/me', { name: 'Ada' });
  expect(people.getState().me).toEqual({ id: 'a', name: 'Ada' });
  expect(onSaved).toHaveBeenCalledOnce();
});

test('what is no name is told before it is sent, and what the server says is shown', async () => {
  const { onSaved } = show(
    vi.fn().mockRejectedValue(new ApiProblem('x', 'The server cannot be reached.', 0)),
  );
  await fill('x'.repeat(61));
  expect(query('[role=alert]')?.textContent).toBe('A name has at most 60 characters.');
  expect(button('Save').disabled).toBe(true);
  await fill('A\u200bda');
  expect(query('[role=alert]')?.textContent).toContain('no invisible characters');
  await fill('Ada');
  expect(query('[role=alert]')).toBeNull();
  await click(button('Save'));
  expect(query('[role=alert]')?.textContent).toBe('The server cannot be reached.');
  expect(onSaved).not.toHaveBeenCalled();
});

test('Q12: the Enter that chooses a word sends no form', async () => {
  const { json } = show();
  const field = await fill('王');
  const prevented = vi.fn();
  field.addEventListener('keydown', (event) => prevented(event.defaultPrevented));
  document.addEventListener('keydown', (event) => prevented(event.defaultPrevented), { once: true });
  await press(field, 'Enter', { isComposing: true, keyCode: 229 });
  expect(prevented).toHaveBeenLastCalledWith(true);
  expect(json).not.toHaveBeenCalled();
});
