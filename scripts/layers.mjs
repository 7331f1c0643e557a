// The layer check: a room imports from floors below its own only. See ARCHITECTURE.md for the floors.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** server/src from the ground up; rooms on one floor never import each other. */
const floors = [
  ['base'],
  ['model', 'exec', 'approvals', 'mcp', 'session', 'context'],
  ['tools'],
  ['agent'],
  ['backends'],
  ['runtime'],
  ['workspace'],
  ['http'],
  ['cli'],
];
const floorOf = new Map(floors.flatMap((rooms, floor) => rooms.map((room) => [room, floor])));

const files = (dir) =>
  readdirSync(join(root, dir), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));

const importsOf = (file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((m) => m[1]);

const faults = [];
const fault = (file, target, why) => faults.push(`${file}: imports ${target}: ${why}`);
const inside = (file, target) => relative(root, join(root, dirname(file), target));

for (const file of files('shared/src'))
  for (const target of importsOf(file))
    if (target.startsWith('node:') || target.startsWith('@tscodex/') || target.startsWith('../'))
      if (!file.endsWith('.test.ts')) fault(file, target, 'shared stands alone');

for (const file of files('web/src'))
  for (const target of importsOf(file)) {
    if (target.startsWith('node:') && !/\.test\.tsx?$/.test(file)) fault(file, target, 'no Node in the page');
    if (target.startsWith('@tscodex/') && !target.startsWith('@tscodex/shared/'))
      fault(file, target, 'the page knows shared alone');
    if (target.startsWith('.') && !inside(file, target).startsWith('web/src'))
      fault(file, target, 'outside web/src');
  }

for (const file of files('server/src')) {
  const room = file.split('/')[2];
  const floor = floorOf.get(room);
  if (floor === undefined) {
    faults.push(`${file}: no such room; the rooms are ${[...floorOf.keys()].join(', ')}`);
    continue;
  }
  for (const target of importsOf(file)) {
    if (target === '@tscodex/web') fault(file, target, 'the server serves the page, it does not import it');
    if (!target.startsWith('.')) continue;
    const other = inside(file, target).split('/');
    if (other[0] !== 'server' || other[1] !== 'src') fault(file, target, 'outside server/src');
    else if (other[2] !== room && !(floorOf.get(other[2]) < floor))
      fault(file, target, `${room} may import the floors below it only`);
  }
}

for (const line of faults) console.error(line);
console.log(faults.length ? `layers: ${faults.length} faults` : 'layers: clean');
process.exit(faults.length ? 1 : 0);
