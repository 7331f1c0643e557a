// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { Formulas } from './formulas.ts';
import type { TreeFormula } from './tree.ts';

const formula = (tex: string): TreeFormula => ({ kind: 'formula', tex, display: false, source: `$${tex}$` });
const typeset = ({ tex }: TreeFormula) => (tex === 'bad' ? undefined : `<i>${tex}</i>`);

afterEach(() => vi.restoreAllMocks());

test('the source until KaTeX is here, then the formula; what it refuses stays source', async () => {
  const load = vi.fn(async () => typeset);
  const formulas = new Formulas(load);
  const shown = ['x', 'bad'].map((tex) => formulas.element(formula(tex)));
  expect(shown.map((place) => place.textContent)).toEqual(['$x$', '$bad$']);
  await vi.waitFor(() => expect(shown[0]?.innerHTML).toBe('<i>x</i>'));
  expect(shown[0]?.hasAttribute('data-source')).toBe(false);
  expect(shown[1]?.outerHTML).toBe('<span data-source="">$bad$</span>');
  expect(load).toHaveBeenCalledTimes(1);
});

test('once KaTeX is here a formula is never seen as its source', async () => {
  const formulas = new Formulas(async () => typeset);
  const first = formulas.element(formula('a'));
  await vi.waitFor(() => expect(first.innerHTML).toBe('<i>a</i>'));
  const next = formulas.element(formula('b'));
  await Promise.resolve(); // a frame comes later
  expect(next.innerHTML).toBe('<i>b</i>');
});

test('hundreds of them leave the page its frames', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const frames: FrameRequestCallback[] = [];
  vi.stubGlobal('requestAnimationFrame', (run: FrameRequestCallback) => frames.push(run));
  const slow = (wanted: TreeFormula) => {
    now += 3;
    return typeset(wanted);
  };
  const formulas = new Formulas(async () => slow);
  const places = Array.from({ length: 10 }, (_, at) => formulas.element(formula(String(at))));
  const done = () => places.filter((place) => place.innerHTML.startsWith('<i>')).length;
  await vi.waitFor(() => expect(done()).toBeGreaterThan(0));
  expect(done()).toBeLessThan(5);
  for (let frame = 0; frame < 10; frame++) frames.shift()?.(0);
  expect(done()).toBe(10);
  vi.unstubAllGlobals();
});

test('where KaTeX cannot be fetched the sources stay', async () => {
  const formulas = new Formulas(() => Promise.reject(new Error('offline')));
  const shown = [formulas.element(formula('x'))];
  await new Promise((done) => setTimeout(done));
  // what is asked for then is looked at and let go: nothing is kept for a KaTeX that never comes
  const scheduled = vi.spyOn(globalThis, 'queueMicrotask');
  for (const tex of ['y', 'z']) {
    shown.push(formulas.element(formula(tex)));
    await new Promise((done) => setTimeout(done));
  }
  expect(scheduled).toHaveBeenCalledTimes(2);
  expect(shown.map((place) => place.textContent)).toEqual(['$x$', '$y$', '$z$']);
});
