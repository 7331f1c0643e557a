import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type JsonlLine, JsonlWriter, readJsonl } from './jsonl.ts';
import { killAfter, spawnSnippet } from './snippet.test-support.ts';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'jsonl-'));
  path = join(dir, 'a', 'b', 'file.jsonl');
});
afterEach(() => rmSync(dir, { recursive: true }));

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of source) found.push(one);
  return found;
}

async function lines(): Promise<JsonlLine[]> {
  return (await all(readJsonl(path))).map(({ next: _, ...line }) => line);
}

async function values(): Promise<unknown[]> {
  return (await lines()).map((line) => (line.damage === undefined ? line.value : line.damage));
}

function given(content: string | Uint8Array): void {
  mkdirSync(join(dir, 'a', 'b'), { recursive: true });
  writeFileSync(path, content);
}

test('the file is made at the first record, header first, for its owner alone', async () => {
  const writer = new JsonlWriter(path, () => [{ header: 1 }]);
  await writer.flush();
  expect(() => statSync(path)).toThrow();
  await Promise.all([writer.append([1, 2]), writer.append(['three'])]);
  await writer.sync();
  await writer.close();
  expect(readFileSync(path, 'utf8')).toBe('{"header":1}\n1\n2\n"three"\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a file that is deleted while it is open is back with the next record, with its directories', async () => {
  const writer = new JsonlWriter(path, () => ['header']);
  await writer.append(['x'.repeat(3 * 1024 * 1024)]);
  await writer.append([2]);
  rmSync(join(dir, 'a'), { recursive: true });
  await Promise.all([writer.append([3]), writer.append([4])]);
  await writer.append([5]);
  await writer.sync();
  expect(readdirSync(join(dir, 'a', 'b'))).toEqual(['file.jsonl']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await writer.close();
  expect(await values()).toEqual(['header', 'x'.repeat(3 * 1024 * 1024), 2, 3, 4, 5]);
});

test('where another file has taken its place nothing is written, and that one stays as it is', async () => {
  const writer = new JsonlWriter(path);
  await writer.append([1]);
  rmSync(path);
  given('edited\n');
  await expect(writer.append([2])).rejects.toMatchObject({
    code: 'file.write',
    message: `cannot write ${path}: another file has taken its place; close it here, and open it again`,
  });
  expect(readdirSync(join(dir, 'a', 'b'))).toEqual(['file.jsonl']);
  expect(readFileSync(path, 'utf8')).toBe('edited\n');
  rmSync(path);
  await writer.append([3]);
  await writer.close();
  expect(await values()).toEqual([1, 3]);
});

test('a file with records gets no header again', async () => {
  given('1\n');
  const writer = new JsonlWriter(path, () => ['header']);
  await writer.append([2]);
  await writer.close();
  expect(readFileSync(path, 'utf8')).toBe('1\n2\n');
});

test('a torn tail is left as it is and the next record starts a new line', async () => {
  given('{"a":1}\n{"b":');
  const writer = new JsonlWriter(path);
  await writer.append([{ c: 3 }]);
  await writer.append([{ d: 4 }]);
  await writer.close();
  expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n{"b":\n{"c":3}\n{"d":4}\n');
});

test('a file whose very first line is torn begins anew; a whole one without its newline stays', async () => {
  given('{"type":"session_m');
  const writer = new JsonlWriter(path, () => ['header']);
  await writer.append([1]);
  await writer.close();
  expect(readFileSync(path, 'utf8')).toBe('"header"\n1\n');

  writeFileSync(path, '{"whole":1}');
  const next = new JsonlWriter(path, () => ['header']);
  await next.append([2]);
  await next.close();
  expect(readFileSync(path, 'utf8')).toBe('{"whole":1}\n2\n');
});

test('the reader splits at \\n only, takes CRLF, blank lines and a missing last newline', async () => {
  given('{"a":"x\u2028y"}\r\n\n  \n{"b":2}');
  expect(await lines()).toEqual([
    { number: 1, value: { a: 'x\u2028y' } },
    { number: 4, value: { b: 2 } },
  ]);
});

test('bad lines, NUL runs and a torn tail are told by number and stop nothing', async () => {
  given(Buffer.concat([Buffer.from('{"a":1}\n{"b":"\n'), Buffer.alloc(300), Buffer.from('\n{"c":3}\n{"d"')]));
  const read = await lines();
  expect(read.filter((line) => line.damage !== undefined).map((line) => line.number)).toEqual([2, 3, 5]);
  expect(read.filter((line) => line.damage === undefined)).toEqual([
    { number: 1, value: { a: 1 } },
    { number: 4, value: { c: 3 } },
  ]);
});

test('a line beyond the limit is skipped without being held', async () => {
  given('1\n"');
  const piece = Buffer.alloc(8 * 1024 * 1024, 'x');
  for (let i = 0; i < 9; i++) appendFileSync(path, piece);
  appendFileSync(path, '"\n2\n');
  expect(await values()).toEqual([1, 'longer than 64 MiB', 2]);
});

test('an indented object is one, and one without an end is held no longer than others may be', async () => {
  given('{\n  "a": [\n    1\n  ]\n}\n{"b":2}\n');
  expect(await lines()).toEqual([
    { number: 1, value: { a: [1] } },
    { number: 6, value: { b: 2 } },
  ]);
  given(`{\n${' \n'.repeat(250_000)}{"b":2}\n`);
  expect(await lines()).toEqual([
    { number: 1, damage: expect.any(String) },
    { number: 250_002, value: { b: 2 } },
  ]);
});

test('lines and characters that span chunks come whole', async () => {
  const long = 'é€😀'.repeat(200_000);
  given(`${JSON.stringify(long)}\n${JSON.stringify('after')}\n`);
  expect(await values()).toEqual([long, 'after']);
});

test('a write that the disk refuses is taken back; smaller ones succeed after it', async () => {
  const limitKiB = 64;
  const child = await spawnSnippet(
    dir,
    `import { JsonlWriter } from './jsonl.ts';
     const writer = new JsonlWriter(${JSON.stringify(path)}, () => ['header']);
     const outcome = (p) => p.then(() => 'written', (error) => error.code);
     const say = async (...all) => console.log((await Promise.all(all.map(outcome))).join(' '));
     await say(writer.append(['first']));
     const big = writer.append(['x'.repeat(100_000)]);
     const same = writer.append(['same tick']);
     await new Promise((resolve) => setImmediate(resolve));
     await say(big, same);
     await say(writer.append(['second']));
     await say(writer.sync());
     await writer.close();`,
    limitKiB,
  );
  expect(await all(child.lines)).toEqual(['written', 'file.write file.write', 'written', 'written']);
  expect(readFileSync(path, 'utf8')).toBe('"header"\n"first"\n"second"\n');
});

test('a file that cannot be made rejects, and works once it can', async () => {
  writeFileSync(join(dir, 'a'), 'in the way');
  const writer = new JsonlWriter(path, () => ['header']);
  await expect(writer.append([1])).rejects.toMatchObject({ code: 'file.write', kind: 'unavailable' });
  rmSync(join(dir, 'a'));
  await writer.append([2]);
  await writer.close();
  expect(readFileSync(path, 'utf8')).toBe('"header"\n2\n');
});

test('what was acknowledged survives kill -9, in order and with no line glued to another', async () => {
  const child = await spawnSnippet(
    dir,
    `import { JsonlWriter } from './jsonl.ts';
     import { writeSync } from 'node:fs';
     const writer = new JsonlWriter(${JSON.stringify(path)});
     for (let n = 0; ; n++) {
       await writer.append([{ n, text: 'x'.repeat(5000) }]);
       await writer.sync();
       writeSync(1, n + '\\n');
     }`,
  );
  const acknowledged = await killAfter(child, 60);
  const writer = new JsonlWriter(path);
  await writer.append([{ n: 'after' }]);
  await writer.close();
  const whole = (await lines()).flatMap((line) =>
    line.damage === undefined ? [(line.value as { n: unknown }).n] : [],
  );
  expect(whole.slice(0, acknowledged.length)).toEqual(acknowledged);
  expect(whole.at(-1)).toBe('after');
});

test('a part is read as in the whole: from any line on, with its number, to the end of one', async () => {
  given('1\n\n{\n  "a": 2\n}\r\n"three"\n4');
  const whole = await all(readJsonl(path));
  expect(whole.map(({ number }) => number)).toEqual([1, 3, 6, 7]);
  expect(whole.map(({ next }) => next.closed)).toEqual([true, true, true, false]);
  for (const [at, { next }] of whole.entries()) {
    expect(await all(readJsonl(path, undefined, { ...next, end: null }))).toEqual(whole.slice(at + 1));
    const before = { at: 0, number: 1, end: next.at };
    expect(await all(readJsonl(path, undefined, before))).toEqual(whole.slice(0, at + 1));
  }
});

test('what goes on in a line that had no end has the same number', async () => {
  given('1\n2');
  const [, second] = await all(readJsonl(path));
  appendFileSync(path, '\n3\n');
  const later = await all(
    readJsonl(path, undefined, { ...(second?.next ?? { at: 0, number: 0 }), end: null }),
  );
  expect(later.map(({ number }) => number)).toEqual([3]);
});
