/** Code to the kinds of its pieces, with Shiki. Runs in a worker (`code-worker.ts`): a grammar may take its time. */
import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript';
import { codeToTokensBase, createShikiPrimitiveAsync, type ShikiPrimitive } from '@shikijs/primitive';
import { kindOf, THEME } from './code-kinds.ts';
import { loadOf } from './code-languages.ts';

/** A longer line stays plain. */
const LONGEST_LINE = 2_000;

/** Lengths and kinds in turn; the lengths add up to the code's. */
export type Runs = number[];

export class CodeReader {
  #shiki: Promise<ShikiPrimitive> | undefined;

  /** Nothing where the language is none that we know. */
  async read(code: string, language: string): Promise<Runs | null> {
    const load = loadOf(language);
    if (!load) return null;
    this.#shiki ??= createShikiPrimitiveAsync({
      themes: [THEME],
      langs: [],
      engine: createJavaScriptRegexEngine({ forgiving: true }),
    });
    const [shiki, { default: grammars }] = await Promise.all([this.#shiki, load()]);
    const lang = grammars.at(-1)?.name;
    if (!lang) return null;
    if (!shiki.getLoadedLanguages().includes(lang)) await shiki.loadLanguage(grammars);
    return runsOf(shiki, code, lang);
  }
}

function runsOf(shiki: ShikiPrimitive, code: string, lang: string): Runs {
  const lines = codeToTokensBase(shiki, code, {
    lang,
    theme: THEME.name as string,
    tokenizeMaxLineLength: LONGEST_LINE,
    // whoever waits for a line has its own patience; the first line takes what it takes to build the grammar
    tokenizeTimeLimit: 0,
  });
  const runs: Runs = [];
  let at = 0;
  for (const { content, offset, color } of lines.flat()) {
    // what lies between the tokens are the ends of lines
    addBlank(runs, offset - at);
    if (content.trim() === '') addBlank(runs, content.length);
    else add(runs, content.length, kindOf(color));
    at = offset + content.length;
  }
  addBlank(runs, code.length - at);
  return runs;
}

/** What shows no colour needs no run of its own. */
function addBlank(runs: Runs, length: number): void {
  add(runs, length, runs.at(-1) ?? 0);
}

/** Beside its like a piece joins it. */
function add(runs: Runs, length: number, kind: number): void {
  if (length <= 0) return;
  const last = runs.length - 1;
  if (runs[last] === kind) runs[last - 1] = (runs[last - 1] ?? 0) + length;
  else runs.push(length, kind);
}
