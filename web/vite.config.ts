import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** KaTeX ships each font three times; every browser we support takes woff2. */
const woff2Only: Plugin = {
  name: 'woff2-only',
  generateBundle(_options, bundle) {
    for (const name of Object.keys(bundle)) if (/\.(woff|ttf)$/.test(name)) delete bundle[name];
  },
};

export default defineConfig({
  // every URL is relative: the server may sit behind any path prefix
  base: './',
  plugins: [react(), woff2Only],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:6007', ws: true } } },
});
