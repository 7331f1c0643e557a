/** For tests: runs a TypeScript snippet in a Node process of its own, to be killed at will. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);

/**
 * Bundles `source` (its imports are relative to this directory) into `directory` and starts it.
 * @param fileSizeLimit KiB that the child can write to one file; more is refused as on a full disk
 */
export async function spawnSnippet(
  directory: string,
  source: string,
  fileSizeLimit?: number,
): Promise<{ process: ChildProcessByStdio<null, Readable, null>; lines: AsyncIterableIterator<string> }> {
  const outfile = join(directory, 'snippet.mjs');
  await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    alias: { libsql: require.resolve('libsql') },
    external: [require.resolve('libsql')],
  });
  const limited = `trap '' XFSZ; ulimit -f ${fileSizeLimit}; exec "$0" "$1"`;
  const child = spawn(
    fileSizeLimit === undefined ? process.execPath : 'bash',
    fileSizeLimit === undefined ? [outfile] : ['-c', limited, process.execPath, outfile],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return { process: child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
}

/** Reads numbers, one a line, and kills the process at the `count`th; returns all that came until it was gone. */
export async function killAfter(
  child: Awaited<ReturnType<typeof spawnSnippet>>,
  count: number,
): Promise<number[]> {
  const seen: number[] = [];
  for await (const line of child.lines) {
    seen.push(Number(line));
    if (seen.length === count) child.process.kill('SIGKILL');
  }
  return seen;
}
