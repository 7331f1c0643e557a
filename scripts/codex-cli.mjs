// The Codex CLI and SDK that the interoperability tests run.
import { join } from 'node:path';
import { fromNpm } from './npm-cache.mjs';

export const VERSION = '0.171.0';
/** The newest that there is: it goes another way than the program. */
const SDK_VERSION = '0.163.0';
const TRIPLES = { x64: 'x86_64-unknown-linux-musl', arm64: 'aarch64-unknown-linux-musl' };

/** @returns {string | null} the path of the native program; null, with the reason printed, where it cannot be had */
export function codexCli() {
  const triple = TRIPLES[process.arch];
  if (process.platform !== 'linux' || !triple) {
    console.error(
      `No Codex CLI ${VERSION} here: its program for ${process.platform} on ${process.arch} is not known here.`,
    );
    return null;
  }
  // npm's wrapper is left out: it would outlive a test that ends it
  const program = join(
    ...['node_modules', '@openai', `codex-linux-${process.arch}`],
    ...['vendor', triple, 'bin', 'codex'],
  );
  return fromNpm(`codex-${VERSION}`, `@openai/codex@${VERSION}`, program);
}

/** @returns {string | null} the path of its module; null, with the reason printed, where it cannot be had */
export function codexSdk() {
  const module = join('node_modules', '@openai', 'codex-sdk', 'dist', 'index.js');
  // without the program that it would run: it runs ours
  return fromNpm(`codex-sdk-${SDK_VERSION}`, `@openai/codex-sdk@${SDK_VERSION}`, module, ['--omit=optional']);
}
