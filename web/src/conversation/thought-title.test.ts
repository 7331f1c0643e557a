import { expect, test } from 'vitest';
import { thoughtTitle } from './thought-title.ts';

test('the bold head of a summary part is its title', () => {
  expect(thoughtTitle('**Checking the scheduler**\n\nIt ends early.')).toBe('Checking the scheduler');
  expect(thoughtTitle('\n**Half')).toBe('');
  expect(thoughtTitle('plain **bold** later')).toBe('');
  expect(thoughtTitle('')).toBe('');
});
