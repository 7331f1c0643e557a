/** WCAG AA: every text colour on every surface it may lie on, in both themes. */
import { expect, test } from 'vitest';

// vitest leaves style sheets empty, and the page's types know no Node: hence a name the compiler cannot follow
const nodeFs: string = 'node:fs';
const { readFileSync }: { readFileSync(file: URL, encoding: 'utf8'): string } = await import(nodeFs);
const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, ...both]) => [name, both]),
);

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((i) => {
    const part = Number.parseInt(hex.slice(i, i + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(text: string, surface: string, theme: number): number {
  const [a = 0, b = 0] = [text, surface].map((name) => luminance(tokens.get(name)?.[theme] ?? ''));
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const plain = ['bg', 'panel', 'raised', 'code'];
const pairs: Record<string, string[]> = {
  ink: [...plain, 'accent-soft', 'ok-soft', 'warn-soft', 'bad-soft'],
  'ink-2': [...plain, 'accent-soft', 'warn-soft'],
  'ink-3': [...plain, 'accent-soft'],
  accent: [...plain, 'accent-soft'],
  'accent-ink': ['accent', 'accent-strong'],
  ok: [...plain, 'ok-soft'],
  warn: [...plain, 'warn-soft'],
  bad: [...plain, 'bad-soft'],
  'face-ink': ['face'],
  ...Object.fromEntries(Array.from({ length: 8 }, (_, tone) => [`face-${tone}-ink`, [`face-${tone}`]])),
  ...Object.fromEntries(
    [...tokens.keys()].flatMap((name) => (name?.startsWith('code-') ? [[name, ['code']]] : [])),
  ),
};

test.each(Object.entries(pairs))('%s can be read on %j', (text, surfaces) => {
  for (const surface of surfaces)
    for (const theme of [0, 1])
      expect
        .soft(contrast(text, surface, theme), `${text} on ${surface}, theme ${theme}`)
        .toBeGreaterThan(4.5);
});
