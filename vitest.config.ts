import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vitest/config';

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

export default defineConfig({
  plugins: [markdownAsText, wasmAsPath],
  test: {
    include: ['{shared,server,web}/src/**/*.test.{ts,tsx}', 'scripts/*.test.mjs'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    server: { deps: { inline: ['@tscodex/prompts', /\.wasm$/] } },
  },
});
