// @vitest-environment happy-dom
import { act, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { click, mount, press, query } from '../conversation/testing.ts';
import { Combobox } from './combobox.tsx';

let unmount: () => void = () => undefined;
afterEach(() => unmount());

function Field({ options }: { options: string[] }) {
  const [value, setValue] = useState('src');
  return <Combobox id="dir" value={value} options={options} listLabel="Directories" onChange={setValue} />;
}

function show(options: string[]) {
  unmount = mount(<Field options={options} />).unmount;
  const field = query<HTMLInputElement>('#dir') as HTMLInputElement;
  act(() => field.focus());
  return field;
}
const listed = () =>
  [...document.querySelectorAll('[role=option]')].map((option) => [
    option.textContent,
    option.getAttribute('aria-selected') === 'true',
  ]);

test('arrows mark suggestions and come back to the field; Enter takes the marked one', async () => {
  const field = show(['src/api', 'src/ui']);
  expect(field.getAttribute('aria-expanded')).toBe('true');
  await press(field, 'ArrowUp');
  expect(listed()).toEqual([
    ['src/api', false],
    ['src/ui', true],
  ]);
  expect(document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent).toBe(
    'src/ui',
  );
  await press(field, 'ArrowDown');
  expect(field.getAttribute('aria-activedescendant')).toBeNull();
  await press(field, 'ArrowDown');
  await press(field, 'Enter');
  expect(field.value).toBe('src/api');
});

test('O-F2: the Enter of an input method takes nothing', async () => {
  const field = show(['src/api']);
  await press(field, 'ArrowDown');
  await press(field, 'Enter', { isComposing: true, keyCode: 229 });
  await press(field, 'Enter', { keyCode: 229 });
  expect(field.value).toBe('src');
});

test('Tab takes the only suggestion; Escape closes the list; a click takes one', async () => {
  const field = show(['src/api']);
  await press(field, 'Tab');
  expect(field.value).toBe('src/api');
  unmount();
  const other = show(['src/a', 'src/b']);
  await press(other, 'Tab');
  expect(other.value).toBe('src');
  await press(other, 'Escape');
  expect(other.getAttribute('aria-expanded')).toBe('false');
  await press(other, 'ArrowDown');
  await click(query('[role=option]') as HTMLElement);
  expect(other.value).toBe('src/a');
});
