/**
 * How files and what was said in them are numbered: the newest first, since the index is gone through in the order of
 * its numbers. What was said has its file's number in its own.
 */
import { basename } from 'node:path';

/** Bits of the number within a file. */
const WITHIN = 2 ** 20;

/** What is said in a file beyond that is not found. */
export const MOST_SAID = WITHIN;

/** Numbers of files begin here: seconds, and all of it fits into 2^53. */
const LAST_SECOND = 2 ** 32 - 1;

/** Where the number of a file is looked for: sessions of one second take the next ones. */
export function firstFileNumber(path: string, mtime: number): number {
  const [, day, hour, minute, second] =
    /^rollout-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)/.exec(basename(path)) ?? [];
  const named = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  const began = Math.floor((Number.isNaN(named) ? mtime : named) / 1000);
  return Math.min(Math.max(LAST_SECOND - began, 1), LAST_SECOND);
}

/** Of the nth thing that is said in a file. */
export function numberOf(file: number, n: number): number {
  return file * WITHIN + (WITHIN - 1 - n);
}

export function fileOfNumber(number: number): number {
  return Math.floor(number / WITHIN);
}
