import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readJsonl } from '../base/jsonl.ts';
import { ItemDeriver } from './derive-items.ts';
import { recordOf } from './item-index.ts';
import { withoutOutputs } from './without-outputs.ts';

const fixtures = join(import.meta.dirname, 'fixtures');

test.each(readdirSync(fixtures).filter((name) => name.endsWith('.jsonl')))(
  '%s: the ids are those of its items, also where the outputs are left out',
  async (name) => {
    const [items, ids] = [new ItemDeriver('thread'), new ItemDeriver('thread')];
    const told: { line: number; id: string }[] = [];
    for await (const line of readJsonl(join(fixtures, name))) {
      const record = recordOf(line);
      if (record) for (const { id } of items.take(line.number, record)) told.push({ line: line.number, id });
    }
    const named: typeof told = [];
    for await (const line of readJsonl(join(fixtures, name), withoutOutputs)) {
      const record = recordOf(line);
      if (record) for (const id of ids.takeIds(line.number, record)) named.push({ line: line.number, id });
    }
    expect(named).toEqual(told);
    expect(ids.end()).toEqual(items.end());
  },
);
