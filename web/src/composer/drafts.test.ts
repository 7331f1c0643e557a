import { expect, test } from 'vitest';
import { readDraft, writeDraft } from './drafts.ts';

test('each session keeps its own draft, and an empty one leaves nothing behind', () => {
  const values = new Map<string, string>();
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
  writeDraft(storage, 'a', 'half a thought');
  writeDraft(storage, 'b', 'another');
  expect([readDraft(storage, 'a'), readDraft(storage, 'b'), readDraft(storage, 'c')]).toEqual([
    'half a thought',
    'another',
    '',
  ]);
  writeDraft(storage, 'a', '');
  expect([...values.keys()]).toEqual(['tscodex.draft.b']);
});
