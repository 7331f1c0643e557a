import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { SCRIPT, scriptText } from './server/script-text.mjs';

/** The prompts are Markdown imported as text; esbuild does the same in server/build.mjs. */
const markdownAsText: Plugin = {
  name: 'markdown-as-text',
  load: (id) => (id.endsWith('.md') ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : null),
};

/** WebAssembly is imported as its path, as esbuild's `file` does it. */
const wasmAsPath: Plugin = {
  name: 'wasm-as-path',
  enforce: 'pre',
  load: (id) => (id.endsWith('.wasm') ? `export default ${JSON.stringify(id)}` : null),
};

/** A program of ours that runs by itself is imported as its text. */
const scriptAsText: Plugin = {
  name: 'script-as-text',
  enforce: 'pre',
  resolveId: (source, from) =>
    source.endsWith(SCRIPT) && from ? `\0${resolve(dirname(from), source)}` : null,
  load: async (id) =>
    id.endsWith(SCRIPT)
      ? `export default ${JSON.stringify(await scriptText(id.slice(1, -SCRIPT.length)))}`
      : null,
};

export default defineConfig({
  plugins: [markdownAsText, wasmAsPath, scriptAsText],
  test: {
    include: ['{shared,server,web}/src/**/*.test.{ts,tsx}', 'scripts/*.test.mjs'],
    // they wait for processes more than they compute
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    server: { deps: { inline: ['@tscodex/prompts', /\.wasm$/] } },
  },
});
