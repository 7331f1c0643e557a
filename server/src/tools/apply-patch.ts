/** `apply_patch`: changes files as a patch says, all of them or none, once the policy or a person allows it. */

import description from '@tscodex/prompts/tools/apply-patch.md';
import grammar from '@tscodex/prompts/tools/apply-patch-grammar.md';
import type { FileChange, FileEdit } from '@tscodex/shared/items';
import { Failure } from '../base/errors.ts';
import { permission } from './approved-exec.ts';
import { patchDisk, writeChanges } from './patch-disk.ts';
import { parsePatch } from './patch-format.ts';
import { expectUnchanged, type PlannedChange, planPatch } from './patch-plan.ts';
import { defineCustomTool, type ToolContext, type ToolResult } from './tool.ts';

export const applyPatch = defineCustomTool({
  name: 'apply_patch',
  description,
  grammar,
  shows: 'own',
  run: (patch, context) => runPatch(patch, context.cwd, context),
});

/** Applies a patch whose paths start from `cwd`, under an item of its own. Throws as `Tool.call` may. */
export async function runPatch(patch: string, cwd: string, context: ToolContext): Promise<ToolResult> {
  const startedAt = new Date();
  const { itemId: id, turnId } = context;
  let item: FileChange = {
    id,
    type: 'fileChange',
    turnId,
    status: 'inProgress',
    startedAt: startedAt.toISOString(),
    changes: [],
  };
  const end = (status: FileChange['status'], error?: string) => {
    item = {
      ...item,
      status,
      completedAt: new Date().toISOString(),
      ...(error === undefined ? {} : { error }),
    };
    context.emit({ type: 'item.completed', item });
  };
  try {
    const changes = await planPatch(parsePatch(patch), cwd, patchDisk);
    item = { ...item, changes: changes.map(fileEdit) };
    context.emit({ type: 'item.started', item });
    const asked = await permission(
      { what: 'patch', paths: pathsOf(changes) },
      { what: 'patch', cwd, changes: item.changes },
      context,
    );
    if (!asked.granted) {
      end('declined', asked.message);
      return { output: asked.message, success: false };
    }
    await expectUnchanged(changes, patchDisk);
    await writeChanges(changes);
    end('completed');
    return { output: report(changes, Date.now() - startedAt.getTime()), success: true };
  } catch (error) {
    if (!(error instanceof Failure)) {
      end(context.signal.aborted ? 'interrupted' : 'failed');
      throw error;
    }
    end('failed', error.message);
    return { output: `apply_patch failed: ${error.message}`, success: false };
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
