/** What the model is told where a command failed and the sandbox may be why. */
import final from '@tscodex/prompts/tools/sandbox-final.md';
import hint from '@tscodex/prompts/tools/sandbox-hint.md';
import type { Policy } from '../approvals/decide.ts';
import type { Exit } from '../exec/channel.ts';
import type { NewOutput } from '../exec/output-buffer.ts';
import type { Confinement } from '../exec/sandbox/confinement.ts';

/** How programs say that the operating system did not let them. */
const REFUSED = new RegExp(
  [
    'operation not permitted|permission denied|read-only file system',
    'network is unreachable|no route to host|name resolution|could not resolve|name or service not known',
    String.raw`\b(?:EPERM|EACCES|EROFS|ENETUNREACH|EAI_AGAIN|ENOTFOUND)\b`,
  ].join('|'),
  'i',
);

/** A line with its end; '' where there is nothing to say. */
export function sandboxHint(about: {
  output: NewOutput;
  /** null while it runs. */
  exit: Exit | null;
  confinement: Confinement | null;
  approval: Policy['approval'];
}): string {
  const { output, exit, confinement, approval } = about;
  if (!confinement || !exit || exit.exitCode === 0) return '';
  if (!REFUSED.test(output.head) && !REFUSED.test(output.tail)) return '';
  return `\n${(approval === 'never' ? final : hint).trim()}\n`;
}
