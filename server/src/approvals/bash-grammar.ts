/** The parser of bash's grammar. It is WebAssembly and loaded on first use: most servers that start need it later. */
import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Parser } from 'web-tree-sitter';
import engine from 'web-tree-sitter/web-tree-sitter.wasm';
import bash from './tree-sitter-bash/tree-sitter-bash.wasm';

/** A parser takes one text at a time and keeps nothing of it. Throws where a file of the installation is missing. */
export async function loadBashGrammar(): Promise<Parser> {
  const { Language, Parser } = await import('web-tree-sitter');
  await Parser.init({ wasmBinary: await readFile(placeOf(engine)) });
  const parser = new Parser();
  parser.setLanguage(await Language.load(await readFile(placeOf(bash))));
  return parser;
}

function placeOf(path: string): string {
  return isAbsolute(path) ? path : fileURLToPath(new URL(path, import.meta.url));
}
