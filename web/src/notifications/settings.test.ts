import { expect, test } from 'vitest';
import { settingsStore, startingSettings, withMuted } from './settings.ts';

function storage(text: string | null) {
  const written: string[] = [];
  return {
    written,
    getItem: () => text,
    setItem: (_key: string, value: string) => void written.push(value),
    removeItem: () => undefined,
  };
}

test.each([[null], ['{"on'], ['null'], ['[]'], ['{"on":"yes","kinds":7,"muted":"all"}']])(
  'what is kept as %j counts as not set',
  (text) => {
    expect(settingsStore('/', storage(text)).getState()).toEqual(startingSettings);
  },
);

test('what was set is kept and read again', () => {
  const device = storage('{"on":true,"kinds":{"done":false},"muted":["a",3]}');
  const store = settingsStore('/', device);
  expect(store.getState()).toEqual({
    on: true,
    kinds: { done: false, waiting: true, failed: true },
    muted: ['a'],
  });
  store.setState((settings) => withMuted(settings, 'b', true));
  expect(JSON.parse(device.written.at(-1) ?? '')).toMatchObject({ on: true, muted: ['a', 'b'] });
});

test('a browser that refuses storage keeps it until the page is closed', () => {
  const refuses = () => {
    throw new DOMException('refused', 'SecurityError');
  };
  const store = settingsStore('/', { getItem: refuses, setItem: refuses, removeItem: refuses });
  store.setState({ on: true });
  expect(store.getState().on).toBe(true);
});
