/** `apply_patch`: changes files as a patch says, all of them or none, once the policy or a person allows it. */
import format from '@tscodex/prompts/tools/apply-patch.md';
import asFreeText from '@tscodex/prompts/tools/apply-patch-freeform.md';
import asArgument from '@tscodex/prompts/tools/apply-patch-function.md';
import grammar from '@tscodex/prompts/tools/apply-patch-grammar.md';
import type { Approval } from '@tscodex/shared/asks';
import type { Allowance, FileChange, FileEdit } from '@tscodex/shared/items';
import * as z from 'zod';
import { Failure } from '../base/errors.ts';
import type { Confinement } from '../exec/sandbox/confinement.ts';
import type { ToolStyle } from '../model/catalog.ts';
import { type Permission, permission, settingsChanged } from './approved-exec.ts';
import { refuseNever, stillTrue, withGrants } from './grants.ts';
import { cutDiff, isCut, isOnlyNamed } from './patch-diff.ts';
import { patchDisk } from './patch-disk.ts';
import { tooLarge } from './patch-effort.ts';
import { parsePatch } from './patch-format.ts';
import { type PatchFiles, type PlannedChange, planPatch } from './patch-plan.ts';
import { directoriesOf, writePatch } from './patch-writer.ts';
import {
  type Asking,
  defineCustomTool,
  defineTool,
  type Tool,
  type ToolContext,
  type ToolResult,
} from './tool.ts';

/** Characters of one file's diff in the conversation. Whoever is asked to allow it gets all of it. */
const SHOWN_DIFF = 64 * 1024;

const freeform = defineCustomTool({
  name: 'apply_patch',
  description: `${asFreeText.trim()}\n\n${format}`,
  grammar,
  shows: 'own',
  run: (input, context) => runPatch(patchIn(input), context.cwd, context),
});

const inArgument = defineTool({
  name: 'apply_patch',
  description: `${asArgument.trim()}\n\n${format}`,
  parameters: z.object({ input: z.string().describe('The whole patch.') }),
  shows: 'own',
  run: ({ input }, context) => runPatch(input, context.cwd, context),
});

/** One tool in two forms. Each takes what is meant for the other: a call may be older than the choice of the model. */
export const applyPatch: Readonly<Record<ToolStyle, Tool>> = {
  freeform,
  function: {
    ...{ name: inArgument.name, parallel: inArgument.parallel, shows: inArgument.shows },
    get spec() {
      return inArgument.spec;
    },
    call: (raw, context) =>
      inArgument.call(/^\s*\*\*\*/.test(raw) ? JSON.stringify({ input: raw }) : raw, context),
  },
};

const argument = z.object({ input: z.string() });

/** The patch where it stands alone, and where it is the argument of a function. */
function patchIn(text: string): string {
  if (!/^\s*\{/.test(text)) return text;
  try {
    return argument.parse(JSON.parse(text)).input;
  } catch {
    return text; // as a patch it is refused with its reason
  }
}

/** Applies a patch whose paths start from `cwd`, under an item of its own. Throws as `Tool.call` may. */
export async function runPatch(patch: string, cwd: string, context: ToolContext): Promise<ToolResult> {
  const item = new FileChangeItem(context);
  try {
    const changes = await planPatch(parsePatch(patch), cwd, await visibleDisk(context));
    const edits = changes.map(fileEdit);
    item.start(edits.map((edit) => ({ ...edit, diff: cutDiff(edit.diff, SHOWN_DIFF) })));
    const permit = await permissionFor(changes, edits, cwd, context);
    if (!permit.granted) {
      item.end('declined', { error: permit.message });
      return { output: permit.message, success: false };
    }
    context.signal.throwIfAborted();
    const startedAt = Date.now();
    await writePatch(changes, permit.confinement, context);
    item.end('completed', permit.allowance ? { allowance: permit.allowance } : {});
    return { output: report(changes, Date.now() - startedAt), success: true };
  } catch (error) {
    if (!(error instanceof Failure)) {
      item.end(context.signal.aborted ? 'interrupted' : 'failed');
      throw error;
    }
    item.end('failed', { error: error.message });
    const state = error.code === 'patch.damaged' ? '' : ', no file was changed';
    return { output: `apply_patch failed${state}: ${error.message}`, success: false };
  }
}

/** This process reads for the plan, so it must not see more than the sandbox does. */
async function visibleDisk({ holding, allowed }: ToolContext): Promise<PatchFiles> {
  const isHidden = holding.hiding(await stillTrue(allowed()));
  return {
    ...patchDisk,
    async read(path) {
      if (isHidden(path))
        throw new Failure('forbidden', 'patch.hidden', `${path}: it is hidden from this session`);
      return patchDisk.read(path);
    },
  };
}

/** What holds the writing comes with the permission. Throws `grants.never` for a file that nobody may allow. */
async function permissionFor(
  changes: readonly PlannedChange[],
  edits: FileEdit[],
  cwd: string,
  context: ToolContext,
): Promise<
  | (Permission & { granted: false })
  | { granted: true; confinement: Confinement | null; allowance?: Allowance }
> {
  const { holding } = context;
  const allowed = await stillTrue(context.allowed());
  const held = holding.confinement(allowed);
  const paths = pathsOf(changes);
  const outside = holding.outside(paths, allowed);
  for (const path of outside) refuseNever(path, holding.never);
  const approval: Approval = {
    ...{ what: 'patch', cwd, changes: edits, sandbox: held?.mode ?? 'none' },
    ...(outside.length > 0 ? { grants: { write: outside } } : {}),
  };
  const asking = { ...context, ask: askAbout(edits, context.ask) };
  const permit = await permission({ what: 'patch', paths, outside }, approval, asking);
  if (!permit.granted) return permit;
  const allowance = permit.allowance ? { allowance: permit.allowance } : {};
  if (!permit.confined) return { granted: true, confinement: null, ...allowance };
  const write = await directoriesOf(outside);
  const confinement = holding.confinement(withGrants(allowed, { write }));
  if (confinement === null) throw settingsChanged();
  return { granted: true, confinement, ...allowance };
}

/** Nobody is asked about what cannot be shown to them, and for the session only about what is. */
function askAbout(edits: readonly FileEdit[], ask: Asking): Asking {
  const named = edits.some(({ diff }) => isOnlyNamed(diff));
  const cut = edits.some(({ diff }) => isCut(diff));
  return {
    ...ask,
    async approve(approval, grants) {
      if (cut)
        throw tooLarge(
          'it changes more than can be shown to the person who has to allow it; send it in parts',
        );
      return ask.approve(approval, named ? [] : grants);
    },
  };
}

/** What is planned, and how it ended. */
class FileChangeItem {
  #item: FileChange;

  constructor(private readonly context: Pick<ToolContext, 'itemId' | 'turnId' | 'emit'>) {
    const { itemId: id, turnId } = context;
    const startedAt = new Date().toISOString();
    this.#item = { id, type: 'fileChange', turnId, status: 'inProgress', startedAt, changes: [] };
  }

  start(changes: FileEdit[]): void {
    this.#item = { ...this.#item, changes };
    this.context.emit({ type: 'item.started', item: this.#item });
  }

  end(status: FileChange['status'], more: Pick<FileChange, 'error' | 'allowance'> = {}): void {
    const item = { ...this.#item, status, completedAt: new Date().toISOString(), ...more };
    this.context.emit({ type: 'item.completed', item });
  }
}

function fileEdit({ path, kind, movedTo, diff }: PlannedChange): FileEdit {
  return { path, kind, ...(movedTo === undefined ? {} : { movedTo }), diff };
}

function pathsOf(changes: readonly PlannedChange[]): string[] {
  return changes.flatMap(({ path, movedTo }) => (movedTo === undefined ? [path] : [path, movedTo]));
}

const LETTERS = { add: 'A', update: 'M', move: 'M', delete: 'D' } as const;

/** What the model reads after a success, in Codex's form: added, then modified, then deleted files. */
function report(changes: readonly PlannedChange[], wallMs: number): string {
  const files = ['A', 'M', 'D'].flatMap((letter) =>
    changes.filter(({ kind }) => LETTERS[kind] === letter).map(({ name }) => `${letter} ${name}\n`),
  );
  const seconds = (wallMs / 1000).toFixed(1);
  return (
    `Exit code: 0\nWall time: ${seconds} seconds\nOutput:\n` +
    `Success. Updated the following files:\n${files.join('')}`
  );
}
