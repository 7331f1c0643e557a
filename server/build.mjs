import { cpSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const dist = new URL('dist/', import.meta.url);
rmSync(dist, { recursive: true, force: true });
await build({
  absWorkingDir: new URL('.', import.meta.url).pathname,
  entryPoints: ['src/cli/tscodex-ws.ts'],
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  sourcemap: true,
  loader: { '.md': 'text' },
  plugins: [
    {
      // npm packages stay external; the repository's own are inlined
      name: 'externals',
      setup(b) {
        b.onResolve({ filter: /^[^./]/ }, (a) =>
          a.path.startsWith('@tscodex/') || a.kind === 'entry-point' ? null : { external: true },
        );
      },
    },
  ],
});
cpSync(new URL('../web/dist', import.meta.url), new URL('public', dist), { recursive: true });
