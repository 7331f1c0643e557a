/**
 * The files with rules, `$CODEX_HOME/rules/*.rules`: Codex reads them as well and writes to one of them, and people
 * edit them by hand.
 */
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Rule, RuleList } from '@tscodex/shared/permissions';
import { Failure, messageOf } from '../base/errors.ts';
import { type FileLock, waitForLock } from '../base/file-lock.ts';
import { makeDirectory } from '../base/make-directory.ts';
import type { RuleSet } from './prefix-rules.ts';
import { ruleLine, withoutStatement } from './rule-edits.ts';
import { type FileRule, type RulesText, readRules } from './rules-text.ts';

export type LoadedRules = {
  rules: FileRule[];
  hosts: RuleSet['hosts'];
  problems: RuleList['problems'];
  /** What could not be read at all, and why: any rule may be in there. Null: everything was. */
  unread: string | null;
};

/** Where Codex saves what people allow. */
const SAVED = 'default.rules';

const SIZE_LIMIT = 1024 * 1024;

/** Somebody who writes a line has the lock for that long at the most. */
const LOCK_SECONDS = 2;

export class RuleFiles {
  readonly dir: string;
  #loaded: { state: string; rules: LoadedRules } | null = null;
  /** Writes of this process follow one another. */
  #writing: Promise<void> = Promise.resolve();

  constructor(codexHome: string) {
    this.dir = join(codexHome, 'rules');
  }

  /** As the files are now; read again where one has changed or could not be read. What cannot be read is a problem. */
  async load(): Promise<LoadedRules> {
    const { names, problems } = await this.#names();
    const state = (await Promise.all(names.map((name) => stateOf(join(this.dir, name))))).join('\n');
    const rules = this.#loaded?.state === state ? this.#loaded.rules : await this.#read(names);
    // a read may fail for a moment, and the file does not change when it is over
    this.#loaded = rules.unread === null ? { state, rules } : null;
    const [problem] = problems;
    if (problem === undefined) return rules;
    return {
      ...rules,
      problems: [...problems, ...rules.problems],
      unread: `${this.dir}: ${problem.message}`,
    };
  }

  /** Adds a rule as Codex would. One that is there already is left alone. Throws `rules.write`. */
  append(prefix: readonly string[]): Promise<void> {
    return this.#write(SAVED, async (path) => {
      const text = await readText(path);
      const line = ruleLine(prefix);
      const has = ({ rules }: RulesText, content: string) =>
        rules.some(({ start, end }) => content.slice(start, end) === line);
      if (has(readRules(SAVED, text, homedir()), text)) return;
      const added = `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
      const next = readRules(SAVED, text + added, homedir());
      // it would be part of a text that nobody closed
      if (!has(next, text + added))
        throw new Error(`line ${next.problems[0]?.line} of it cannot be read; mend that first`);
      await appendWhole(path, added);
    });
  }

  /** Takes a rule out, returns it and leaves everything else in its file as it is. Throws `rules.unknown` and `rules.write`. */
  async remove(id: string): Promise<Rule> {
    const { rules } = await this.load();
    const found = rules.find((rule) => rule.id === id);
    if (found === undefined) throw unknownRule();
    const { file } = found;
    await this.#write(file, async (path) => {
      const text = await readText(path);
      const rule = readRules(file, text, homedir()).rules.find((one) => one.id === id);
      if (rule === undefined) throw unknownRule();
      await rewrite(path, text, withoutStatement(text, rule));
    });
    return found;
  }

  async #names(): Promise<{ names: string[]; problems: RuleList['problems'] }> {
    try {
      const names = await readdir(this.dir);
      return { names: names.filter((name) => name.endsWith('.rules')).sort(), problems: [] };
    } catch (error) {
      // where nobody has made a rule there is no directory
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { names: [], problems: [] };
      return { names: [], problems: [{ file: '.', line: 1, message: unreadable(error) }] };
    }
  }

  async #read(names: readonly string[]): Promise<LoadedRules> {
    const hosts = new Map<string, string[]>();
    const loaded: LoadedRules = { rules: [], hosts, problems: [], unread: null };
    for (const file of names) {
      try {
        const read = readRules(file, await readText(join(this.dir, file)), homedir());
        loaded.rules.push(...read.rules);
        loaded.problems.push(...read.problems.map((problem) => ({ file, ...problem })));
        for (const [name, paths] of read.hosts) hosts.set(name, paths);
      } catch (error) {
        loaded.problems.push({ file, line: 1, message: unreadable(error) });
        loaded.unread ??= `${join(this.dir, file)}: ${unreadable(error)}`;
      }
    }
    return loaded;
  }

  async #write(file: string, change: (path: string) => Promise<void>): Promise<void> {
    const path = join(this.dir, file);
    const done = this.#writing.then(async () => {
      makeDirectory(this.dir, 0o700);
      const lock = await lockOf(path);
      try {
        await change(path);
      } finally {
        lock.release();
      }
    });
    this.#writing = done.catch(() => undefined);
    await done.catch((error) => {
      if (error instanceof Failure && error.code === 'rules.unknown') throw error;
      throw new Failure('unavailable', 'rules.write', `cannot change ${path}: ${messageOf(error)}`, {
        cause: error,
      });
    });
  }
}

function unreadable(error: unknown): string {
  return `it cannot be read: ${messageOf(error)}`;
}

function unknownRule(): Failure {
  return new Failure(
    'notFound',
    'rules.unknown',
    'This rule is gone or was changed meanwhile: open the list again.',
  );
}

/** Codex locks the file the same way while it appends a line. */
async function lockOf(path: string): Promise<FileLock> {
  const lock = await waitForLock(path, LOCK_SECONDS);
  if (lock) return lock;
  throw new Error('another program has locked it');
}

async function stateOf(path: string): Promise<string> {
  const info = await stat(path, { bigint: true }).catch(() => null);
  return `${path} ${info && `${info.ino} ${info.size} ${info.mtimeNs} ${info.ctimeNs}`}`;
}

/** Throws where it is no text, too long or cannot be read. */
async function readText(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > SIZE_LIMIT) throw new Error(`it has ${size} bytes, and ${SIZE_LIMIT} is the limit`);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
}

/** In one write, as Codex does: replacing the file would lose what Codex appends at that moment. */
async function appendWhole(path: string, text: string): Promise<void> {
  const handle = await open(path, 'a', 0o600);
  try {
    const { size } = await handle.stat();
    try {
      await handle.appendFile(text);
      await handle.datasync();
    } catch (error) {
      await handle.truncate(size);
      throw error;
    }
  } finally {
    await handle.close();
  }
}

/**
 * In the file itself, though a crash in between may leave a line that cannot be read: Codex opens the file before it
 * waits for the lock, and what it appended to one that was replaced would be lost.
 */
async function rewrite(path: string, from: string, to: string): Promise<void> {
  const [before, after] = [Buffer.from(from), Buffer.from(to)];
  const different = after.findIndex((byte, at) => byte !== before[at]);
  const handle = await open(path, 'r+');
  try {
    for (let at = different < 0 ? after.length : different; at < after.length; )
      at += (await handle.write(after, at, after.length - at, at)).bytesWritten;
    await handle.truncate(after.length);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
