import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readJsonl } from '../base/jsonl.ts';
import { ItemDeriver } from './derive-items.ts';
import { recordOf } from './item-index.ts';
import { withoutOutputs } from './without-outputs.ts';

const fixtures = join(import.meta.dirname, 'fixtures');

/** A recording whose outputs are long enough to be left out: a copy with more before what they are. */
function withLongOutputs(name: string): { path: string; outputs: number } {
  const dir = mkdtempSync(join(tmpdir(), 'derive-items-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  let outputs = 0;
  const longer = readFileSync(join(fixtures, name), 'utf8').replaceAll(
    /"(?:aggregated_)?output":"/g,
    (start) => {
      outputs += 1;
      return start + '-'.repeat(5000);
    },
  );
  const path = join(dir, name);
  writeFileSync(path, longer);
  return { path, outputs };
}

test.each(readdirSync(fixtures).filter((name) => name.endsWith('.jsonl')))(
  '%s: the ids are those of its items, also where the outputs are left out',
  async (name) => {
    const { path, outputs } = withLongOutputs(name);
    const [items, ids] = [new ItemDeriver('thread'), new ItemDeriver('thread')];
    const told: { line: number; id: string }[] = [];
    for await (const line of readJsonl(path)) {
      const record = recordOf(line);
      if (record) for (const { id } of items.take(line.number, record)) told.push({ line: line.number, id });
    }
    const named: typeof told = [];
    let shorter = 0;
    const shortened = (line: Buffer) => {
      const short = withoutOutputs(line);
      if (short.length < line.length) shorter += 1;
      return short;
    };
    for await (const line of readJsonl(path, shortened)) {
      const record = recordOf(line);
      if (record) for (const id of ids.takeIds(line.number, record)) named.push({ line: line.number, id });
    }
    expect(named).toEqual(told);
    expect(shorter > 0).toBe(outputs > 0);
    expect(ids.end()).toEqual(items.end());
  },
);
