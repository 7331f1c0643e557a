/** `@openai/codex` from npm beside the product, where asked for (`--codex`): installed into a directory of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGE = '@openai/codex@0.171.0';
const TRIPLES = { x64: 'x86_64-unknown-linux-musl', arm64: 'aarch64-unknown-linux-musl' };

/**
 * Calls `measure` with the path of the native program, not of npm's wrapper around it; with null where it is not
 * asked for or, with the reason printed, cannot be installed.
 */
export async function withCodex(asked, measure) {
  if (!asked) {
    console.error('codex is not measured; with --codex it is installed for that');
    return measure(null);
  }
  const dir = await mkdtemp(join(tmpdir(), 'bench-codex-'));
  try {
    return await measure(await install(dir));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function install(dir) {
  const flags = ['--no-audit', '--no-fund', '--prefix', dir];
  const npm = spawn('npm', ['install', ...flags, PACKAGE], { stdio: 'ignore' });
  const [code] = await once(npm, 'exit');
  const platform = join(dir, 'node_modules', '@openai', `codex-linux-${process.arch}`);
  const program = join(platform, 'vendor', TRIPLES[process.arch] ?? '', 'bin', 'codex');
  const found = await access(program).then(
    () => true,
    () => false,
  );
  if (code === 0 && found) return program;
  console.error(`codex is left out: npm install ${PACKAGE} ended with ${code}`);
  return null;
}
