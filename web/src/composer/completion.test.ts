import { expect, test } from 'vitest';
import { completed, completions, isCommand, moved } from './completion.ts';

const names = (text: string) => completions(text).map(({ name }) => name);

test('a slash offers all, letters narrow it down', () => {
  expect(names('/')).toEqual([
    '/help',
    '/title',
    '/model',
    '/cd',
    '/fork',
    '/history',
    '/resume',
    '/export',
    '/status',
    '/compact',
    '/env',
    '/queue',
    '/stop',
  ]);
  expect(names('/h')).toEqual(['/help', '/history']);
  expect(names('/ti')).toEqual(['/title']);
});

test('nothing is offered for text, paths, whole commands and what follows them', () => {
  for (const text of ['', 'h', ' /h', '/help', '/title x', '/srv/data', '/H', '/zz', '/h\n'])
    expect(names(text)).toEqual([]);
});

test('a command that takes words leaves room for them', () => {
  expect(completions('/t').map(completed)).toEqual(['/title ']);
  expect(completions('/sto').map(completed)).toEqual(['/stop']);
});

test('the choice goes round', () => {
  expect([moved(0, 1, 3), moved(2, 1, 3), moved(0, -1, 3)]).toEqual([1, 0, 2]);
});

test('commands are told from text that only begins with a slash', () => {
  expect(['/stop', '/title a name', '/queue\nx'].map(isCommand)).toEqual([true, true, true]);
  expect(['/stopp', '/srv/data', ' /stop', '/', 'stop', '/unknown'].map(isCommand)).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
});
