import interruptedByRestart from '@tscodex/prompts/interrupted-by-restart.md';
import interruptedByUser from '@tscodex/prompts/interrupted-by-user.md';
import { expect, test } from 'vitest';
import { developerText, userText } from './response-items.ts';
import { isSaidByPeople, OPENS, personText } from './said-by-people.ts';

const OURS = [...Object.values(OPENS).map((words) => `${words} x>`), interruptedByRestart, interruptedByUser];

test.each(OURS)(
  'what the program says is told by its opening words, but not where a person said it: %j',
  (text) => {
    expect(isSaidByPeople(userText(text))).toBe(false);
    expect(isSaidByPeople(userText(`\n${text}`))).toBe(false);
    expect(isSaidByPeople(personText(text))).toBe(true);
  },
);

test.each(['hello', '<boards> are', 'About # AGENTS.md instructions', ''])('words of people: %j', (text) => {
  expect(isSaidByPeople(userText(text))).toBe(true);
  expect(isSaidByPeople(developerText(text))).toBe(false);
});
