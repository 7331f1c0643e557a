/**
 * Lines of a rollout file without most of the bytes of their outputs. Those of commands are most of a long file, and
 * which items there are, and how the turns went, can be told without decoding them.
 */
import { withoutImages } from './without-images.ts';

/** Within the text of a string these quotes would have backslashes. */
const OUTPUTS = ['"aggregated_output":"', '"output":"'].map((text) => Buffer.from(text));
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Shorter lines are not worth the search. */
const LONG = 4 * 1024;
/** What stays of an output: the words that an aborted command ends with. */
const TAIL = 64;

/** A line of JSON, of whose long outputs only the end is left; without its images. */
export function withoutOutputs(line: Buffer): Buffer {
  const rest = withoutImages(line);
  if (rest.length < LONG) return rest;
  return OUTPUTS.reduce(withoutOne, rest);
}

function withoutOne(line: Buffer, key: Buffer): Buffer {
  const at = line.indexOf(key);
  if (at < 0) return line;
  const from = at + key.length;
  const end = endOfString(line, from);
  // torn: it stays as it is
  if (end < 0) return line;
  const tail = tailOf(line, from, end);
  return tail === from ? line : Buffer.concat([line.subarray(0, from), line.subarray(tail)]);
}

/** Where the string that begins at `from` has its closing quote; -1: nowhere. */
function endOfString(line: Buffer, from: number): number {
  let at = line.indexOf(QUOTE, from);
  while (at > 0 && isEscaped(line, at, from)) at = line.indexOf(QUOTE, at + 1);
  return at;
}

function isEscaped(line: Buffer, at: number, from: number): boolean {
  let start = at;
  while (start > from && line[start - 1] === BACKSLASH) start -= 1;
  return (at - start) % 2 === 1;
}

/** Not between a backslash and what it escapes. */
function tailOf(line: Buffer, from: number, end: number): number {
  const at = Math.max(from, end - TAIL);
  return isEscaped(line, at, from) ? at - 1 : at;
}
