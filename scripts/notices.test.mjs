import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { notices, packagesOf } from './notices.mjs';

let dir;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tscodex-notices-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A package's directory. */
function aPackage(name, license, files = { LICENSE: `the text of ${name}` }) {
  const directory = join(dir, 'node_modules', name);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name, version: '1.2.3', license }));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text);
  return directory;
}

test('each package once, by name, with its licence and all its texts', () => {
  const text = notices([
    aPackage('zeta', 'ISC'),
    aPackage('@some/alpha', 'Apache-2.0', { LICENSE: 'the licence', 'NOTICE.md': 'the notice' }),
    aPackage('zeta', 'ISC'),
  ]);
  expect(text.match(/^\S+ 1\.2\.3 \(.*\)$/gm)).toEqual([
    '@some/alpha 1.2.3 (Apache-2.0)',
    'zeta 1.2.3 (ISC)',
  ]);
  expect(text).toContain('the licence\nthe notice');
  expect(text).toContain('the text of zeta');
});

test.each([
  ['(MPL-2.0 OR Apache-2.0)', true],
  ['MIT AND OFL-1.1', true],
  ['MIT AND GPL-3.0', false],
  ['GPL-3.0-only', false],
  ['SEE LICENSE IN LICENSE.txt', false],
  [undefined, false],
])('a package under %s may be bundled: %s', (license, may) => {
  const directory = aPackage('one', license);
  if (may) expect(notices([directory])).toContain('the text of one');
  else expect(() => notices([directory])).toThrow(/one 1\.2\.3: licence .* is not one of MIT/);
});

test('every fault is named at once, a missing text among them', () => {
  const faulty = [
    aPackage('bare', 'MIT', {}),
    aPackage('empty', 'MIT', { LICENSE: '\n' }),
    aPackage('odd', 'WTFPL'),
  ];
  expect(() => notices(faulty)).toThrow(/bare 1\.2\.3: has no licence text.*\n.*empty.*\n.*odd/);
});

test('modules are traced to the packages they lie in', () => {
  const directory = aPackage('@some/alpha', 'MIT');
  const inner = join(directory, 'node_modules/beta');
  mkdirSync(inner, { recursive: true });
  writeFileSync(join(inner, 'package.json'), '{}');
  const modules = [
    'src/own.ts',
    'node_modules/@some/alpha/a.js',
    '\0/virtual',
    join(directory, 'b.css?inline'),
    'node_modules/@some/alpha/node_modules/beta/index.js',
  ];
  expect(packagesOf(modules, dir)).toEqual([directory, inner]);
});
