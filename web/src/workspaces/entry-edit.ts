/**
 * An entry while somebody edits it and others may change it, too: fields that were not touched follow the others'
 * changes, touched ones stay as typed and tell what the others wrote. Pure.
 */
import { WORKSPACE_NAME_LIMIT } from '@tscodex/shared/limits';
import type { WorkspaceChange, WorkspaceSummary } from '@tscodex/shared/workspace';
import { changeOf, chosenOf, SETTINGS, type Setting } from '../permissions/settings.ts';

/** What is typed. */
export type TextField = 'name' | 'dir' | 'board';
const TEXTS: readonly TextField[] = ['name', 'dir', 'board'];

/** What an entry says. A setting that it leaves to the server's configuration is ''. */
export type Field = TextField | Setting;
export type Fields = Record<Field, string>;
export const FIELDS: readonly Field[] = [...TEXTS, ...SETTINGS];

/** An entry that says nothing. */
export const NOTHING: Fields = { name: '', dir: '', board: '', sandbox: '', approval: '', network: '' };

/** What was typed or chosen; a field that is missing was not touched. */
export type Typed = Partial<Fields>;

/** `tilde` writes a path as people do. */
export function fieldsOf(
  { name, dir, board, permissions }: WorkspaceSummary,
  tilde: (path: string) => string,
): Fields {
  return { name, dir, board: tilde(board.path), ...chosenOf(permissions) };
}

/** What the others wrote into fields that were touched here. `opened`: the fields when the editing began. */
export function theirs(opened: Fields, current: Fields, typed: Typed): Typed {
  const differ = FIELDS.filter((field) => {
    const mine = typed[field];
    return mine !== undefined && current[field] !== opened[field] && current[field] !== mine.trim();
  });
  return Object.fromEntries(differ.map((field) => [field, current[field]]));
}

/**
 * What is to be sent. An emptied text stays as it is: there is no entry without a name or a directory. `broken`: a
 * setting that says what is none, so that what the form shows is to replace it.
 */
export function changesOf(
  current: Fields,
  typed: Typed,
  broken: Setting | null = null,
): Omit<WorkspaceChange, 'revision'> {
  const chosen = { ...current, ...typed };
  const settings = SETTINGS.filter((setting) => setting === broken || chosen[setting] !== current[setting]);
  const permissions = changeOf(Object.fromEntries(settings.map((setting) => [setting, chosen[setting]])));
  return { ...textsOf(current, typed), ...(settings.length > 0 && { permissions }) };
}

/** The setting that the entry is broken by; null where it is not, or by something else. */
export function brokenSetting({ problem }: Pick<WorkspaceSummary, 'problem'>): Setting | null {
  return SETTINGS.find((setting) => setting === problem?.details?.field) ?? null;
}

/** The texts that differ, without blanks around them. */
export function textsOf(current: Fields, typed: Typed): Partial<Record<TextField, string>> {
  const changed = TEXTS.map((field) => [field, typed[field]?.trim() ?? ''] as const).filter(
    ([field, text]) => text !== '' && text !== current[field],
  );
  return Object.fromEntries(changed);
}

export function isTooLong(name: string | undefined): boolean {
  return (name?.trim().length ?? 0) > WORKSPACE_NAME_LIMIT;
}

/** The name that the server gives to a workspace without one. */
export function nextName(workspaces: readonly WorkspaceSummary[]): string {
  const taken = new Set(workspaces.flatMap(({ id, name }) => [id, name]));
  for (let n = 1; ; n++) if (!taken.has(`workspace-${n}`)) return `workspace-${n}`;
}
