// @vitest-environment happy-dom
import { act, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { click, mount, press, query, type } from '../conversation/testing.ts';
import { Combobox } from './combobox.tsx';

let unmount: () => void = () => undefined;
afterEach(() => unmount());

function Field({ options, of }: { options: string[]; of: string }) {
  const [value, setValue] = useState('src');
  return (
    <Combobox
      {...{ id: 'dir', value, options, listLabel: 'Directories' }}
      optionsOf={of}
      onChange={setValue}
    />
  );
}

function show(options: string[], of = 'src') {
  unmount = mount(<Field {...{ options, of }} />).unmount;
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

test('Tab takes the only way to go on with what was just typed, once', async () => {
  const field = show(['src/api'], 'src/');
  await type(field, 'src/');
  await press(field, 'Tab');
  expect(field.value).toBe('src/api');
  await press(field, 'Tab');
  expect(field.value).toBe('src/api');
});

test.each([
  ['passed by', ['src-old'], 'src', null],
  ['whole, with a longer one beside it', ['src', 'src-old'], 'src', 'src'],
  ['emptied', ['src'], '', ''],
  ['newer than the suggestions', ['src-old'], 'src', 'src-'],
  ['one of several', ['src/a', 'src/b'], 'src/', 'src/'],
])('Tab leaves a text that is %s as it is', async (_how, options, of, typed) => {
  const field = show(options, of);
  if (typed !== null) await type(field, typed);
  await press(field, 'Tab');
  expect(field.value).toBe(typed ?? 'src');
});

test('Escape closes the list; a click takes one', async () => {
  const other = show(['src/a', 'src/b']);
  await press(other, 'Escape');
  expect(other.getAttribute('aria-expanded')).toBe('false');
  await press(other, 'ArrowDown');
  await click(query('[role=option]') as HTMLElement);
  expect(other.value).toBe('src/a');
});
