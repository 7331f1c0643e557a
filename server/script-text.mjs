// A program of ours that runs by itself, as one text: what `import text from './x.ts?script'` gives, in the built
// server as in tests.
import { resolve } from 'node:path';
import { build } from 'esbuild';

/** Ends the name of an import that means the program itself. */
export const SCRIPT = '?script';

/** Everything it needs is inside but for what Node has itself. */
export async function scriptText(path) {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
  });
  return outputFiles[0].text;
}

/** For esbuild. */
export const scriptAsText = {
  name: 'script-as-text',
  setup(build) {
    build.onResolve({ filter: /\?script$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.slice(0, -SCRIPT.length)),
      namespace: 'script',
    }));
    build.onLoad({ filter: /.*/, namespace: 'script' }, async ({ path }) => ({
      contents: await scriptText(path),
      loader: 'text',
    }));
  },
};
