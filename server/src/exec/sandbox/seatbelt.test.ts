import { expect, test } from 'vitest';
import { mountPlan, type Place } from './mount-plan.ts';
import { seatbeltArgv, seatbeltProfile } from './seatbelt.ts';

const place = (access: Place['access'], path: string): Place => ({ access, path, directory: true });

const plan = mountPlan([
  place('hidden', '/Users/a/.ssh'),
  place('write', '/Users/a/work'),
  place('kept', '/Users/a/work/.git'),
  place('empty', '/Users/a/work/.codex'),
  place('hidden', '/Users/a/state'),
  place('shown', '/Users/a/state/skills'),
]);

test('the profile denies by default, and its later rules win: the deepest places come last', () => {
  const profile = seatbeltProfile({ plan, network: false, unixSockets: false });
  expect(profile).toMatch(/^\(version 1\)\n\(deny default\)\n/);
  expect(profile.split('\n').slice(-8)).toEqual([
    '(deny file-read* file-write* (subpath (param "PLACE_0")))',
    '(allow file-read* file-write* (subpath (param "PLACE_1")))',
    '(deny file-read* file-write* (subpath (param "PLACE_2")))',
    '(deny file-write* (subpath (param "PLACE_3")))',
    '(deny file-write* (subpath (param "PLACE_4")))',
    '(allow file-read* (subpath (param "PLACE_5")))',
    '(deny file-write* (subpath (param "PLACE_5")))',
    '',
  ]);
  expect(profile).not.toContain('network');
});

test('the network is allowed only where it is on, and unix sockets where they are', () => {
  expect(seatbeltProfile({ plan, network: true, unixSockets: false })).toContain('(allow network-outbound');
  const sockets = seatbeltProfile({ plan, network: false, unixSockets: true });
  expect(sockets).toContain('(allow network* (local unix-socket) (remote unix-socket))');
  expect(sockets).not.toContain('network-outbound');
});

test('paths are parameters, so that none is read as a part of the profile', () => {
  const argv = seatbeltArgv(['bash', '-c', 'x'], { plan, network: false, unixSockets: false });
  expect(argv.slice(0, 2)).toEqual(['/usr/bin/sandbox-exec', '-p']);
  expect(argv.slice(3)).toEqual([
    ...plan.map(({ path }, i) => `-DPLACE_${i}=${path}`),
    ...['--', 'bash', '-c', 'x'],
  ]);
  expect(argv[2]).not.toContain('/Users');
});
