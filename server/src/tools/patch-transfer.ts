/** How planned changes get to the program that writes them, and what it answers: JSON, contents in base64. */
import type { FailureKind } from '../base/errors.ts';
import type { PlannedChange } from './patch-plan.ts';

export type PatchReply =
  | { written: true }
  | { written: false; kind: FailureKind; code: string; message: string };

type Sent = Omit<PlannedChange, 'before' | 'after' | 'diff'> & {
  before: string | null;
  after: string | null;
};

export function encodeChanges(changes: readonly PlannedChange[]): string {
  const sent = changes.map(({ diff: _, before, after, ...change }): Sent => {
    return { ...change, before: encoded(before), after: encoded(after) };
  });
  return JSON.stringify(sent);
}

export function decodeChanges(text: string): PlannedChange[] {
  return (JSON.parse(text) as Sent[]).map((sent) => {
    return { ...sent, before: decoded(sent.before), after: decoded(sent.after), diff: '' };
  });
}

function encoded(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function decoded(text: string | null): Uint8Array | null {
  return text === null ? null : Buffer.from(text, 'base64');
}
