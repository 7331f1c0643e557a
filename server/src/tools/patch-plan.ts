/**
 * A patch, worked out whole before anything is written: what each file was and what it will be. Pure but for
 * reading through a port. Sections see what earlier sections of the same patch have done.
 */
import { basename, dirname, join, resolve } from 'node:path';
import { Failure } from '../base/errors.ts';
import { fileDiff } from './patch-diff.ts';
import { PatchEffort } from './patch-effort.ts';
import type { Hunk, Section } from './patch-format.ts';
import { Content, changeLines } from './patch-lines.ts';
import { type Placement, placeHunk, type Unplaced } from './patch-match.ts';

/** Paths are absolute. Every method throws `Failure` for what cannot be patched: a folder, a device. */
export interface PatchFiles {
  /** The folder with all links followed; it must exist. */
  folder(path: string): Promise<string>;
  /** The path with all links followed; what does not exist yet stays as it is written. */
  realPath(path: string): Promise<string>;
  /** null: there is no such file. */
  read(path: string): Promise<Uint8Array | null>;
}

export type PlannedChange = {
  kind: 'add' | 'update' | 'delete' | 'move';
  /** As the patch writes it, for messages; of a move, where to. */
  name: string;
  /** Absolute, links followed: what will really be touched. */
  path: string;
  movedTo?: string;
  before: Uint8Array | null;
  after: Uint8Array | null;
  diff: string;
};

/** Lines that were not found, and characters of each, that are told. */
const MISSING_SHOWN = 200;

type Draft = {
  name: string;
  path: string;
  before: Uint8Array | null;
  now: Content | null;
  movedFrom?: Draft;
};

/**
 * Throws `Failure`: patch.conflict, naming the file and what does not fit; patch.large, for what takes more than
 * `effort`. `cwd` is where paths start from.
 */
export async function planPatch(
  sections: readonly Section[],
  cwd: string,
  files: PatchFiles,
  effort = new PatchEffort(),
): Promise<PlannedChange[]> {
  const drafts = new Drafts(await files.folder(cwd), files, effort);
  for (const section of sections) {
    if (section.type === 'add') await planAdd(section, drafts);
    else if (section.type === 'delete') await planDelete(section, drafts);
    else await planUpdate(section, drafts);
  }
  const changes = drafts.changes();
  if (changes.length === 0) throw conflict('the patch leaves every file as it is');
  return changes;
}

/** Throws `Failure` (patch.conflict) when a file is not as it was when the changes were planned. */
export async function expectUnchanged(changes: readonly PlannedChange[], files: PatchFiles): Promise<void> {
  for (const { path, movedTo, before } of changes) {
    await expectContent(path, before, files);
    if (movedTo !== undefined) await expectContent(movedTo, null, files);
  }
}

async function expectContent(path: string, content: Uint8Array | null, files: PatchFiles): Promise<void> {
  const now = (await files.realPath(path)) === path ? await files.read(path) : undefined;
  if (now === undefined || !isSame(content, now))
    throw conflict(`${path} has changed since the patch was planned; read it again`);
}

async function planAdd({ path, lines }: Section & { type: 'add' }, drafts: Drafts): Promise<void> {
  const draft = await drafts.open(path);
  if (draft.now !== null)
    throw conflict(`${path} exists already; to change it, use "*** Update File: ${path}"`);
  draft.now = new Content(Buffer.from(lines.map((line) => `${line}\n`).join('')));
}

async function planDelete({ path }: Section & { type: 'delete' }, drafts: Drafts): Promise<void> {
  const { draft } = await drafts.openExisting(path);
  await drafts.refuseLink(draft, path);
  draft.now = null;
}

async function planUpdate(section: Section & { type: 'update' }, drafts: Drafts): Promise<void> {
  const { draft: source, content } = await drafts.openExisting(section.path);
  const changed = withHunks(content, section.hunks, section.path, drafts.effort);
  const target = section.movedTo === undefined ? source : await drafts.open(section.movedTo);
  if (target !== source) {
    await drafts.refuseLink(source, section.path);
    if (target.now !== null)
      throw conflict(`${section.path} cannot be moved to ${section.movedTo}: that file exists already`);
    source.now = null;
    target.movedFrom = source.movedFrom ?? source;
  }
  target.now = changed;
}

function withHunks(content: Content, hunks: readonly Hunk[], name: string, effort: PatchEffort): Content {
  if (hunks.length === 0) return content;
  const { bom, lines } = content.file;
  effort.pass(lines.length);
  const texts = lines.map((line) => line.text);
  const places: Placement[] = [];
  for (const hunk of hunks) {
    const place = placeHunk(texts, hunk, places.at(-1)?.free ?? 0, effort);
    if ('missing' in place) throw notFound(name, place);
    places.push(place);
  }
  // a hunk that adds at the end may stand before one for what lies above
  return new Content({
    bom,
    lines: changeLines(
      lines,
      places.toSorted((a, b) => a.at - b.at),
    ),
  });
}

/** The files a patch has touched so far, each under its real path, in the order they were first named. */
class Drafts {
  private readonly byPath = new Map<string, Draft>();

  constructor(
    private readonly cwd: string,
    private readonly files: PatchFiles,
    readonly effort: PatchEffort,
  ) {}

  async open(name: string): Promise<Draft> {
    if (name.startsWith('~/')) throw conflict(`${name}: "~" has no meaning in a patch; write the whole path`);
    const path = await this.files.realPath(resolve(this.cwd, name));
    const known = this.byPath.get(path);
    if (known) return known;
    const before = await this.files.read(path);
    if (before) this.effort.read(name, before);
    const draft: Draft = { name, path, before, now: before && new Content(before) };
    this.byPath.set(path, draft);
    return draft;
  }

  async openExisting(name: string): Promise<{ draft: Draft; content: Content }> {
    const draft = await this.open(name);
    if (draft.now === null) throw conflict(`${name} does not exist`);
    return { draft, content: draft.now };
  }

  /** Deleting or moving would have to choose between a link and what it points to. */
  async refuseLink(draft: Draft, name: string): Promise<void> {
    const full = resolve(this.cwd, name);
    const own = join(await this.files.realPath(dirname(full)), basename(full));
    if (own !== draft.path)
      throw conflict(
        `${name} is a symbolic link to ${draft.path}; delete or move that file, or use a command`,
      );
  }

  changes(): PlannedChange[] {
    const all = [...this.byPath.values()];
    const movedTo = new Map<Draft, Draft>();
    for (const draft of all)
      if (draft.movedFrom && isMove(draft.movedFrom, draft)) movedTo.set(draft.movedFrom, draft);
    const targets = new Set(movedTo.values());
    return all
      .filter(
        (draft) =>
          movedTo.has(draft) || !(targets.has(draft) || isSame(draft.before, draft.now?.bytes ?? null)),
      )
      .map((draft) => change(draft, movedTo.get(draft), this.effort));
  }
}

/** Whether one file's end is the other's beginning, all sections considered. */
function isMove(source: Draft, target: Draft): boolean {
  return source.before !== null && source.now === null && target.before === null && target.now !== null;
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one && other ? Buffer.compare(one, other) === 0 : one === other;
}

function change(draft: Draft, target: Draft | undefined, effort: PatchEffort): PlannedChange {
  const { name, path, before } = draft;
  const after = (target ?? draft).now?.bytes ?? null;
  const content = { before, after, diff: fileDiff(before, after, effort) };
  if (target) return { kind: 'move', name: target.name, path, movedTo: target.path, ...content };
  const kind = before === null ? 'add' : after === null ? 'delete' : 'update';
  return { kind, name, path, ...content };
}

function conflict(message: string): Failure {
  return new Failure('conflict', 'patch.conflict', message);
}

function notFound(name: string, { missing, anchor }: Unplaced): Failure {
  const what = anchor ? 'the line after "@@" was not found' : 'these lines were not found';
  const lines = missing.slice(0, MISSING_SHOWN).map((line) => line.slice(0, MISSING_SHOWN));
  const more = missing.length > lines.length ? [`(and ${missing.length - lines.length} more)`] : [];
  return conflict(`${name}: ${what}:\n${[...lines, ...more].join('\n')}`);
}
