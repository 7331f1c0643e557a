// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { keepWriting } from './writing.ts';

test('says that somebody writes while the focus is in a field, and no longer', () => {
  document.body.innerHTML = '<textarea></textarea><input /><button></button>';
  keepWriting(document);
  const writing = () => document.documentElement.hasAttribute('data-writing');
  const seen = ['textarea', 'input', 'button'].map((name) => {
    document.querySelector<HTMLElement>(name)?.focus();
    return writing();
  });
  expect(seen).toEqual([true, true, false]);
  document.querySelector('textarea')?.focus();
  document.querySelector('textarea')?.blur();
  expect(writing()).toBe(false);
});
