/** A program in a terminal of its own, for as much of one as Codex asks about: it types, and reads what is shown. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect } from '@playwright/test';

/** What a terminal is asked, and says. */
const ANSWERS: readonly (readonly [string, string])[] = [
  ['\x1b[6n', '\x1b[1;1R'],
  ['\x1b[c', '\x1b[?1;2c'],
];

export class Terminal {
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  #shown = '';

  constructor(program: string, args: readonly string[], place: { cwd: string; env: NodeJS.ProcessEnv }) {
    const words = [program, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    // script opens the terminal; its size is that of nothing
    this.#child = spawn('script', ['-qfec', `stty rows 40 cols 120; ${words}`, '/dev/null'], {
      ...{ cwd: place.cwd, env: { ...place.env, TERM: 'xterm-256color' } },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.ended = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.stdout.setEncoding('utf8');
    this.#child.stdout.on('data', (chunk: string) => {
      this.#shown += chunk;
      for (const [asked, answer] of ANSWERS) if (chunk.includes(asked)) this.type(answer);
    });
  }

  type(keys: string): void {
    this.#child.stdin.write(keys);
  }

  /** Puts in what is on the clipboard, and waits until it is seen: keys that come as fast are not taken for typing. */
  async paste(text: string): Promise<void> {
    this.type(`\x1b[200~${text}\x1b[201~`);
    await this.shows(text);
  }

  /** What was written since it began, without what moves and colours it, and without spaces: some are jumped over. */
  async shows(words: string): Promise<void> {
    await expect.poll(() => bare(this.#shown), { timeout: 30_000 }).toContain(bare(words));
  }

  end(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return this.ended;
  }
}

function bare(text: string): string {
  return stripVTControlCharacters(text).replace(/\s+/g, '');
}
