/** What a run is asked: the prompt of the command line, and what stdin holds. */
import { fstatSync } from 'node:fs';
import { Failure } from '../../base/errors.ts';

/** How long a pipe that says nothing is waited for where there is a prompt already. */
const SILENCE_MS = 2000;

export type Stdin = AsyncIterable<Buffer> & { fd: number; isTTY?: boolean; destroy(): void };

/**
 * With a prompt, what comes through stdin goes below it, as Codex writes it. A pipe that nobody writes into and
 * nobody closes does not hold the run up: `note` is told. Throws `exec.prompt` where nothing is asked.
 */
export async function promptOf(
  prompt: string | null,
  stdin: Stdin,
  note: (text: string) => void,
): Promise<string> {
  if (prompt === null && stdin.isTTY)
    throw new Failure('invalid', 'exec.prompt', 'no prompt: write one in quotes, or pipe one in');
  const piped = prompt === null ? await textOf(stdin) : mayBePiped(stdin) ? await textInTime(stdin) : '';
  if (piped === null) note('stdin is open and silent: going on without it (</dev/null closes it)');
  const text = prompt === null ? (piped ?? '') : piped ? `${prompt}\n\n<stdin>\n${piped}\n</stdin>` : prompt;
  if (text.trim() === '')
    throw new Failure('unavailable', 'exec.prompt', 'no prompt was given through stdin');
  return text;
}

/** A terminal, and what is no file and no pipe, has nothing to add. */
function mayBePiped({ fd, isTTY }: Stdin): boolean {
  if (isTTY) return false;
  try {
    const stat = fstatSync(fd);
    return stat.isFile() || stat.isFIFO() || stat.isSocket();
  } catch {
    return false; // it is closed
  }
}

async function textOf(stdin: Stdin): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8').trimEnd();
}

/** null where nothing came in time; what has begun to come is waited for. */
async function textInTime(stdin: Stdin): Promise<string | null> {
  const reader = stdin[Symbol.asyncIterator]();
  const first = reader.next();
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), SILENCE_MS);
  });
  const began = await Promise.race([first, silence]).finally(() => clearTimeout(timer));
  if (began === null) {
    stdin.destroy();
    // what it says of its end is nobody's any more
    first.catch(() => undefined);
    return null;
  }
  const chunks: Buffer[] = [];
  for (let { done, value } = began; !done; { done, value } = await reader.next()) chunks.push(value);
  return Buffer.concat(chunks).toString('utf8').trimEnd();
}
