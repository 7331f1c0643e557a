/** The models that Codex knows, as it lists them itself. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod';
import { parsedLine } from '../../base/lines.ts';
import type { CodexPlace } from '../codex-process/codex-child.ts';

const catalog = z.object({
  models: z.array(z.object({ slug: z.string(), visibility: z.string().catch('list') })),
});

const MOST_BYTES = 16 * 1024 * 1024;

/** Throws `codex.missing`. Empty where it does not list them. */
export async function listedModels(
  { program, cwd, env }: CodexPlace,
  signal: AbortSignal,
): Promise<string[]> {
  const limits = { cwd, env, signal, killSignal: 'SIGKILL' as const, maxBuffer: MOST_BYTES };
  const asked = promisify(execFile)(program(), ['debug', 'models'], limits);
  asked.child.stdin?.end();
  const said = await asked.catch(() => null); // one that cannot list them can still be asked for one by its name
  const found = catalog.safeParse(parsedLine(said?.stdout ?? '')).data;
  return (found?.models ?? []).filter(({ visibility }) => visibility === 'list').map(({ slug }) => slug);
}
