/** For tests: a $CODEX_HOME with sessions in it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Catalog } from './catalog.ts';

export type TestHome = {
  codexHome: string;
  stateDir: string;
  /** What was to be known, for the log. */
  warnings: string[];
  faults: unknown[];
  catalog(): Catalog;
};

export function openTestHome(): TestHome {
  const codexHome = mkdtempSync(join(tmpdir(), 'tscodex-catalog-'));
  const stateDir = join(codexHome, 'tscodex');
  mkdirSync(stateDir);
  const home: TestHome = {
    ...{ codexHome, stateDir, warnings: [], faults: [] },
    catalog() {
      const warn = (text: string) => void home.warnings.push(text);
      const fault = (_what: string, error: unknown) => void home.faults.push(error);
      const catalog = new Catalog({ codexHome, stateDir, warn, fault });
      onTestFinished(() => catalog.close());
      return catalog;
    },
  };
  onTestFinished(() => rmSync(codexHome, { recursive: true, force: true }));
  return home;
}

/** The id of the nth session. */
export function sessionId(n: number): string {
  return `01970000-0000-7000-8000-${String(n).padStart(12, '0')}`;
}

/** Where Codex puts a session that was made n minutes after the first one. */
export function sessionPath(codexHome: string, n: number, folder = 'sessions/2026/11/30'): string {
  return join(codexHome, folder, `rollout-2026-11-30T08-00-00-${sessionId(n)}.jsonl`);
}

export function at(n: number): string {
  return new Date(Date.UTC(2026, 10, 30, 8) + n * 60_000).toISOString();
}

type Line = Record<string, unknown>;

export function metaLine(n: number, more: Line = {}): Line {
  const meta = {
    id: sessionId(n),
    timestamp: at(n),
    cwd: '/work',
    originator: 'codex_cli_rs',
    cli_version: '1',
  };
  return { timestamp: at(n), type: 'session_meta', payload: { ...meta, ...more } };
}

export function saidLine(n: number, role: 'user' | 'assistant', text: string): Line {
  const type = role === 'user' ? 'input_text' : 'output_text';
  const payload = { type: 'message', role, content: [{ type, text }] };
  return { timestamp: at(n), type: 'response_item', payload };
}

export function writeLines(path: string, lines: readonly Line[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** A session in which a person has said one thing and was answered another. */
export function writeSession(
  { codexHome }: Pick<TestHome, 'codexHome'>,
  n: number,
  [asked, answered]: readonly [string, string],
  more: { folder?: string; meta?: Line } = {},
): string {
  const path = sessionPath(codexHome, n, more.folder);
  const said = [saidLine(n, 'user', asked), saidLine(n, 'assistant', answered)];
  writeLines(path, [metaLine(n, more.meta), ...said]);
  return path;
}
