// Compresses what the build wrote, as small as it goes: the server only hands it out.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** By the ending of the copy, which lies beside its file: `a.js`, `a.js.br`, `a.js.gz`. */
const compressions = {
  '.br': (/** @type {Buffer} */ bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  '.gz': (/** @type {Buffer} */ bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/** For the files of a build that are text. A copy that is no smaller than its file is left out. */
export const compressedCopies = {
  name: 'compressed-copies',
  /** @param {{ dir?: string }} options */
  async writeBundle({ dir = '' }) {
    const assets = join(dir, 'assets');
    const texts = (await readdir(assets)).filter((name) => /\.(?:js|css|svg)$/.test(name));
    await Promise.all(texts.map((name) => compress(join(assets, name))));
  },
};

/** @param {string} path */
async function compress(path) {
  const bytes = await readFile(path);
  for (const [ending, compressed] of Object.entries(compressions)) {
    const copy = await compressed(bytes);
    if (copy.length < bytes.length) await writeFile(path + ending, copy);
  }
}
