// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { mount } from './testing.ts';
import { useAimedItem } from './use-aimed-item.ts';

let unmount: () => void = () => undefined;
afterEach(() => unmount());

test('who is led to the same item again is brought there again', async () => {
  const goTo = vi.fn(async (_id: string) => undefined);
  function View() {
    useAimedItem('an-item', goTo);
    return null;
  }
  await act(async () => {
    unmount = mount(<View />).unmount;
  });
  expect(goTo.mock.calls).toEqual([['an-item']]);
  await act(async () => navigate('/w/w/?session=a&item=an-item', { state: { led: 1 } }));
  expect(goTo).toHaveBeenCalledTimes(2);
  await act(async () => navigate('/w/w/?session=a&item=an-item', { state: { led: 2 }, replace: true }));
  expect(goTo).toHaveBeenCalledTimes(3);
});
