import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { packagesOf } from '../scripts/notices.mjs';
import { compressedCopies } from './compressed-copies.mjs';

/** KaTeX ships each font three times; every browser we support takes woff2. */
const woff2Only: Plugin = {
  name: 'woff2-only',
  generateBundle(_options, bundle) {
    for (const name of Object.keys(bundle)) if (/\.(woff|ttf)$/.test(name)) delete bundle[name];
  },
};

/** Asks for the text font with the page, not after the style sheet: no text changes its face while it is read. */
const preloadTextFont: Plugin = {
  name: 'preload-text-font',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght-normal-.*\.woff2$/.test(name));
      if (font === undefined) return [];
      const attrs = { rel: 'preload', href: `./${font}`, as: 'font', type: 'font/woff2', crossorigin: true };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  },
};

/** The server tells each page where its root is; the development server serves at its own root. */
const developmentBase: Plugin = {
  name: 'development-base',
  apply: 'serve',
  transformIndexHtml: () => [{ tag: 'base', attrs: { href: '/' }, injectTo: 'head-prepend' }],
};

/** What the workers are made of: each is a build of its own, within and before that of the page. */
const workerModules = new Set<string>();
const noteWorkerModules: Plugin = {
  name: 'note-worker-modules',
  generateBundle() {
    for (const id of this.getModuleIds()) workerModules.add(id);
  },
};

/** For THIRD-PARTY-NOTICES: whose code, styles and fonts are in the page. The server's build reads it. */
const listPackages: Plugin = {
  name: 'list-packages',
  generateBundle() {
    const modules = [...this.getModuleIds(), ...workerModules];
    const source = JSON.stringify(packagesOf(modules, import.meta.dirname));
    this.emitFile({ type: 'asset', fileName: 'bundled-packages.json', source });
  },
};

export default defineConfig({
  // every URL is relative: the server may sit behind any path prefix
  base: './',
  plugins: [react(), woff2Only, preloadTextFont, developmentBase, listPackages, compressedCopies],
  build: {
    // light-dark() and what came before it
    target: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
  },
  // a module, so that it too can fetch its parts when they are needed
  worker: { format: 'es', plugins: () => [noteWorkerModules] },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:6007', ws: true } } },
});
