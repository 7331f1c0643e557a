// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { Follower } from './follower.ts';

afterEach(() => vi.unstubAllGlobals());

/** A view of 500 pixels, 800 wide, on 2,000 of content; `become` is what the browser's next layout says. */
function reader() {
  const laidOut = vi.fn();
  const Observer = vi.fn(function (this: object, settle: () => void) {
    laidOut.mockImplementation(settle);
    Object.assign(this, { observe: vi.fn(), disconnect: vi.fn() });
  });
  vi.stubGlobal('ResizeObserver', Observer);
  const view = document.createElement('div');
  const become = (size: Record<string, number>) => {
    for (const [name, value] of Object.entries(size))
      Object.defineProperty(view, name, { value, configurable: true });
    laidOut();
  };
  const told = vi.fn();
  become({ clientWidth: 800, clientHeight: 500, scrollHeight: 2_000 });
  const follower = new Follower(view, document.createElement('div'), told);
  view.dispatchEvent(new WheelEvent('wheel', { deltaY: -100 }));
  view.scrollTop = 900;
  view.dispatchEvent(new Event('scroll'));
  return { become, told, follower };
}

test('what comes while one reads further up is news, what a narrower window wraps is not', () => {
  const { become, told, follower } = reader();
  expect(told).toHaveBeenLastCalledWith({ following: false, away: true, newOutput: false });
  become({ clientWidth: 500, scrollHeight: 2_900 });
  expect(told).toHaveBeenLastCalledWith({ following: false, away: true, newOutput: false });
  become({ scrollHeight: 2_920 });
  expect(told).toHaveBeenLastCalledWith({ following: false, away: true, newOutput: true });
  follower.dispose();
});
