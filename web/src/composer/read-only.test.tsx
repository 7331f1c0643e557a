// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { mount, query, session } from '../conversation/testing.ts';
import { HeldNote, isReadOnly } from './read-only.tsx';

let unmount: () => void = () => undefined;
afterEach(() => unmount());

test.each([
  [{ pid: 12_345, program: 'codex' }, /^codex \(process 12345\) is writing this session\./],
  [{ pid: null, program: null }, /^Another program is writing this session\./],
  [null, /^$/],
])('it says who else writes: %o', (heldBy, words) => {
  unmount = mount(<HeldNote heldBy={heldBy} />).unmount;
  expect(query('[role="note"]')?.textContent ?? '').toMatch(words);
  expect(isReadOnly(session({ heldBy }))).toBe(heldBy !== null);
});
