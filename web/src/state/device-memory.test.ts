import { expect, test } from 'vitest';
import { DeviceMemory } from './device-memory.ts';

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

test('each workspace of each server has its own memory', () => {
  const device = storage();
  const memory = new DeviceMemory('/x/w/demo', device);
  expect(memory.lastSession).toBeNull();
  expect(memory.seen).toBeNull();
  memory.lastSession = 's1';
  memory.seen = { s1: '2026' };
  const again = new DeviceMemory('/x/w/demo', device);
  expect([again.lastSession, again.seen]).toEqual(['s1', { s1: '2026' }]);
  const other = new DeviceMemory('/w/demo', device);
  expect([other.lastSession, other.seen]).toEqual([null, null]);
});

test('what was cut off counts as nothing seen', () => {
  const device = storage();
  device.setItem('tscodex.seen.w', '{"s1":"20');
  expect(new DeviceMemory('w', device).seen).toBeNull();
});
