import type { Person } from '@tscodex/shared/workspace';
import { afterEach, expect, test } from 'vitest';
import { speak } from '../messages/spoken.ts';
import { namesOf } from './faces.tsx';

afterEach(() => speak('en', ['en-US']));

const people: Person[] = [
  { id: 'a', name: 'Ada', looking: [] },
  { id: 'b', name: null, looking: [] },
  { id: 'c', name: '小乔', looking: [] },
];
const crowd: Person[] = Array.from({ length: 22 }, (_, at) => ({ id: String(at), name: 'Jo', looking: [] }));

test('the names of who is here, listed as the language lists', async () => {
  expect(namesOf(people, 'c')).toBe('Ada, Somebody, You (小乔)');
  expect(namesOf(crowd, null)).toMatch(/Jo, Jo and 2 more$/);
  await speak('zh', ['zh-CN']);
  expect(namesOf(people, 'c')).toBe('Ada、某人、你（小乔）');
  expect(namesOf(crowd, null)).toMatch(/Jo、Jo 等，另有 2 人$/);
});
