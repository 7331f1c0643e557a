// @vitest-environment happy-dom
import type { ReactNode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { mount, query } from '../conversation/testing.ts';
import { ReadBox } from './read-box.tsx';
import { TrueText } from './true-text.tsx';

let unmount: () => void = () => undefined;
afterEach(() => unmount());

const show = (node: ReactNode) => {
  unmount = mount(node).unmount;
  return {
    text: document.body.textContent,
    chips: [...document.querySelectorAll('[data-shows]')].map((chip) => chip.getAttribute('data-shows')),
  };
};

test('what would not be seen has a chip, and the text is there to be copied', () => {
  const command = `ls \u202e# live${'\u3164'.repeat(1200)}${'\n'.repeat(6)}${' '.repeat(70)}evil`;
  const { text, chips } = show(<TrueText text={command} />);
  expect(text).toBe(command);
  expect(chips).toEqual(['U+202E', 'U+3164 × 1200', '5 empty lines', '70 blanks']);
});

test('plain text is nothing but itself', () => {
  expect(show(<TrueText text="make all" />)).toEqual({ text: 'make all', chips: [] });
  expect(query('main')?.children).toHaveLength(1);
});

test('a box that shows all of its text says nothing about it', () => {
  expect(show(<ReadBox text={'a\nb'} />).text).toBe('a\nb');
});
