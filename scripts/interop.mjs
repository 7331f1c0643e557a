// `npm run test:interop`: sessions go back and forth between this server and the real Codex CLI, and its SDK runs ours.
import { fileURLToPath } from 'node:url';
import { codexCli, codexSdk } from './codex-cli.mjs';
import { pnpm } from './pnpm.mjs';

/** @param {string} reporter @returns {number | null} the exit code; null, with the reason printed, without a Codex */
export function interop(reporter) {
  const program = codexCli();
  const sdk = codexSdk();
  if (program === null || sdk === null) return null;
  process.env.CODEX_BIN = program;
  process.env.CODEX_SDK = sdk;
  const args = ['playwright', 'test', '--config', 'interop', `--reporter=${reporter}`];
  return pnpm('--filter', '@tscodex/e2e', 'exec', ...args);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(interop('list') ?? 0);
