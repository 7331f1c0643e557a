import { expect, test } from 'vitest';
import { mountArguments, mountPlan, type Place } from './mount-plan.ts';

function argumentsFor(...places: [access: Place['access'], path: string, kind?: 'file'][]): string {
  const plan = mountPlan(
    places.map(([access, path, kind]) => ({ access, path, directory: kind !== 'file' })),
  );
  return mountArguments(plan).join(' ');
}

test('the deepest place decides, in whatever order they come', () => {
  expect(argumentsFor(['hidden', '/w/own/secret'], ['write', '/w/own'], ['hidden', '/w'])).toBe(
    '--perms 111 --tmpfs /w --bind /w/own /w/own --perms 000 --tmpfs /w/own/secret --remount-ro /w --remount-ro /w/own/secret',
  );
});

test('what changes nothing is not mounted', () => {
  expect(argumentsFor(['kept', '/a/.git'], ['shown', '/a/b'], ['hidden', '/h'], ['hidden', '/h/in'])).toBe(
    '--perms 000 --tmpfs /h --remount-ro /h',
  );
});

test('of a hidden place only what is named is shown', () => {
  expect(argumentsFor(['hidden', '/h'], ['shown', '/h/skills'], ['shown', '/h/AGENTS.md', 'file'])).toBe(
    '--perms 111 --tmpfs /h --ro-bind /h/skills /h/skills --ro-bind /h/AGENTS.md /h/AGENTS.md --remount-ro /h',
  );
});

test('files are covered by files', () => {
  expect(argumentsFor(['write', '/w'], ['hidden', '/w/key', 'file'], ['empty', '/w/.npmrc', 'file'])).toBe(
    '--bind /w /w --ro-bind /dev/null /w/key --ro-bind /dev/null /w/.npmrc',
  );
});

test('the directories on the way to what is protected are held in their places', () => {
  expect(argumentsFor(['write', '/w'], ['kept', '/w/.local/bin'], ['write', '/w/a/b'])).toBe(
    '--bind /w /w --bind /w/.local /w/.local --bind /w/a /w/a --ro-bind /w/.local/bin /w/.local/bin --bind /w/a/b /w/a/b',
  );
});
