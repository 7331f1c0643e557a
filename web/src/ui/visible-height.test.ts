// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { keepVisibleHeight } from './visible-height.ts';

const root = document.documentElement;
const height = () => root.style.getPropertyValue('--visible-height');

/** What a browser tells of the part that is seen. */
function view() {
  return Object.assign(new EventTarget(), { height: 844, scale: 1, offsetTop: 0 });
}
type View = ReturnType<typeof view>;

function change(of: View, to: Partial<Pick<View, 'height' | 'scale' | 'offsetTop'>>): void {
  of.dispatchEvent(new Event(Object.assign(of, to).offsetTop > 0 ? 'scroll' : 'resize'));
}

beforeEach(() => {
  root.removeAttribute('style');
  vi.stubGlobal('innerHeight', 844);
  vi.stubGlobal('scrollTo', vi.fn());
});

test('Q13: a keyboard that lies over the page makes it as high as what is seen of it', () => {
  const seen = view();
  keepVisibleHeight(seen as unknown as VisualViewport, root);
  expect([height(), root.hasAttribute('data-covered')]).toEqual(['', false]);
  change(seen, { height: 508 });
  expect([height(), root.hasAttribute('data-covered')]).toEqual(['508px', true]);
  change(seen, { offsetTop: 120 });
  expect(scrollTo).toHaveBeenCalledWith(0, 0);
  change(seen, { height: 844, offsetTop: 0 });
  expect([height(), root.hasAttribute('data-covered')]).toEqual(['', false]);
});

test('a page that is zoomed into is left alone', () => {
  const seen = view();
  keepVisibleHeight(seen as unknown as VisualViewport, root);
  change(seen, { height: 300, scale: 2.8, offsetTop: 40 });
  expect(height()).toBe('');
  expect(scrollTo).not.toHaveBeenCalled();
});

test('a browser that makes the page itself smaller needs nothing', () => {
  const seen = view();
  keepVisibleHeight(seen as unknown as VisualViewport, root);
  vi.stubGlobal('innerHeight', 508);
  change(seen, { height: 508 });
  expect(height()).toBe('');
});
