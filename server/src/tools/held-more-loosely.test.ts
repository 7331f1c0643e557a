import { expect, test } from 'vitest';
import type { Confinement } from '../exec/sandbox/confinement.ts';
import { grantedBeyond, isHeldMoreLoosely } from './held-more-loosely.ts';

const held = (more: Partial<Confinement> = {}): Confinement => ({
  ...{ mode: 'workspace-write', network: false, unixSockets: false },
  ...{ roots: ['/w'], write: [], hidden: ['/keys'], readable: ['/codex'], ...more },
});

test.each<[string, Confinement | null, Confinement | null]>([
  ['as now', held(), held()],
  ['more tightly', held({ mode: 'read-only', roots: [], readable: ['/w', '/codex'] }), held()],
  ['in a part', held({ roots: ['/w/sub'] }), held()],
  ['with what is still granted', held({ write: ['/x/y'] }), held({ write: ['/x'] })],
  ['where nothing is held now', null, null],
  ['at all where nothing is held now', held({ network: true }), null],
])('%s is no more', (_how, it, now) => expect(isHeldMoreLoosely(it, now)).toBe(false));

test.each<[string, Confinement | null, Confinement]>([
  ['by nothing', null, held()],
  ['for writing', held(), held({ mode: 'read-only', roots: [], readable: ['/w', '/codex'] })],
  ['with the network', held({ network: true }), held()],
  ['with sockets', held({ unixSockets: true }), held()],
  ['with a root', held({ roots: ['/w', '/tmp'] }), held()],
  ['with a place to write', held({ write: ['/x'] }), held()],
  ['with a place that is protected in a root', held({ write: ['/w/.git'] }), held()],
  ['with a place to read', held({ readable: ['/keys/a'] }), held()],
  ['without what is hidden since', held(), held({ hidden: ['/keys', '/other'] })],
])('held %s is more', (_how, it, now) => expect(isHeldMoreLoosely(it, now)).toBe(true));

test('what it was granted is told, as far as it is not granted now', () => {
  const it = held({ network: true, write: ['/x/a', '/y'] });
  expect(grantedBeyond(it, held({ write: ['/x'] }))).toEqual({ network: true, write: ['/y'] });
  expect(grantedBeyond(it, held({ network: true, write: ['/x', '/y'] }))).toEqual({});
});
