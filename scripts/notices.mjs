// The licences of what the bundles are made of. A package that carries no licence text, or one under a licence
// that is not on the list, fails the build: nobody ships by accident what may not be shipped.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What may be shipped within a package under Apache-2.0. OFL-1.1 is the licence of fonts. */
const PERMITTED = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'Unlicense',
  'OFL-1.1',
]);

/** Texts of packages that name their licence and forgot to include it: `name@version.txt`. */
const OWN_TEXTS = fileURLToPath(new URL('licences/', import.meta.url));

/**
 * The directories of the packages that these modules belong to.
 * @param {Iterable<string>} modules paths, relative ones to `from`
 * @param {string} from
 * @returns {string[]}
 */
export function packagesOf(modules, from) {
  const found = new Set();
  for (const module of modules) {
    const [, directory] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module) ?? [];
    if (directory !== undefined) found.add(resolve(from, directory.replace(/^\0+/, '')));
  }
  return [...found].filter((directory) => existsSync(join(directory, 'package.json')));
}

/**
 * THIRD-PARTY-NOTICES for the packages in these directories. Throws one error that lists every fault.
 * @param {Iterable<string>} directories
 * @returns {string}
 */
export function notices(directories) {
  const packages = new Map();
  for (const directory of directories) {
    const read = readPackage(directory);
    packages.set(`${read.name}@${read.version}`, read);
  }
  const sorted = [...packages.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const faults = sorted.flatMap(faultsOf);
  if (faults.length > 0) throw new Error(`licences of what is bundled:\n${faults.join('\n')}`);
  return [
    'tscodex contains the following packages, each under its own licence.\n',
    ...sorted.map(({ name, version, licence, text }) =>
      [`${'='.repeat(78)}\n${name} ${version} (${licence})\n${'='.repeat(78)}`, `${text.trim()}\n`].join(
        '\n\n',
      ),
    ),
  ].join('\n');
}

function readPackage(directory) {
  const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const files = readdirSync(directory).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const own = join(OWN_TEXTS, `${name.replace('/', '+')}@${version}.txt`);
  const paths = files.length > 0 ? files.sort().map((file) => join(directory, file)) : [own];
  const text = paths.map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')).join('\n');
  return { name, version, licence: typeof license === 'string' ? license : 'none named', text };
}

function faultsOf({ name, version, licence, text }) {
  const which = `${name} ${version}`;
  if (!isPermitted(licence))
    return [`${which}: licence ${licence} is not one of ${[...PERMITTED].join(', ')}`];
  if (text.trim() === '')
    return [`${which}: has no licence text; put it into scripts/licences/ after checking`];
  return [];
}

/** `(MPL-2.0 OR Apache-2.0)`: one of them is enough. `MIT AND ISC`: each has to be permitted. */
function isPermitted(expression) {
  const alternatives = expression.replace(/[()]/g, ' ').split(/\sOR\s/);
  return alternatives.some((all) => all.split(/\sAND\s/).every((one) => PERMITTED.has(one.trim())));
}
