/** What the model reads of a command, in Codex's form: a few lines about it, then its output, cut to a budget. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import type { Exit } from '../exec/channel.ts';
import type { NewOutput } from '../exec/output-buffer.ts';

/** Tokens of output at the most, whatever the model asks for. */
const OUTPUT_TOKENS = 10_000;

/** Codex's estimate. */
const BYTES_PER_TOKEN = 4;

const ESC = '\u001b';
/**
 * Strings (OSC and its kind) with their end, CSI, short escapes. Each alternative stops at the next ESC, so that
 * time stays linear whatever a command prints; Node's `stripVTControlCharacters` takes minutes for 100 kB.
 */
const ESCAPES = new RegExp(
  [
    `${ESC}[\\]PX^_][^\\u0007\\u001b]*(?:\\u0007|${ESC}\\\\)`,
    `(?:${ESC}\\[|\\u009b)[0-?]*[ -/]*[@-~]`,
    `${ESC}[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);

export function commandReport(about: {
  output: NewOutput;
  /** null while it runs. */
  exit: Exit | null;
  processId: string;
  wallMs: number;
  maxTokens: number | undefined;
}): string {
  const { output, exit, processId } = about;
  return [
    `Chunk ID: ${randomBytes(3).toString('hex')}`,
    `Wall time: ${(about.wallMs / 1000).toFixed(4)} seconds`,
    exit ? `Process exited with code ${exitText(exit)}` : `Process running with session ID ${processId}`,
    `Original token count: ${tokens(output.bytes)}`,
    'Output:',
    cutOutput(output, Math.min(about.maxTokens ?? OUTPUT_TOKENS, OUTPUT_TOKENS)),
  ].join('\n');
}

/** A signal is told as shells tell it: 128 and its number. */
function exitText({ exitCode, signal }: Exit): string {
  if (signal === null) return String(exitCode);
  const number = constants.signals[signal as NodeJS.Signals];
  return number === undefined ? signal : `${128 + number} (${signal})`;
}

/** The beginning and the end, half the budget each, and between them how much was left out. */
export function cutOutput({ head, tail, bytes, omitted }: NewOutput, maxTokens: number): string {
  const budget = maxTokens * BYTES_PER_TOKEN;
  const first = readable(head);
  if (omitted === 0 && Buffer.byteLength(first) <= budget) return first;
  const begin = firstBytes(first, Math.floor(budget / 2));
  const end = lastBytes(omitted === 0 ? first : readable(tail), Math.floor(budget / 2));
  const left = tokens(bytes - Buffer.byteLength(begin) - Buffer.byteLength(end));
  return `${begin}…${left} tokens truncated…${end}`;
}

/** As it would stand on the screen: without colours, and of a line that was written over its last state. */
function readable(text: string): string {
  return text.replace(ESCAPES, '').split('\n').map(lastState).join('\n');
}

function lastState(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end--;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

function tokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

function firstBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  let end = Math.min(limit, bytes.length);
  while (end > 0 && isContinuation(bytes[end])) end--;
  return bytes.toString('utf8', 0, end);
}

function lastBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  let start = Math.max(0, bytes.length - limit);
  while (isContinuation(bytes[start])) start++;
  return bytes.toString('utf8', start);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
