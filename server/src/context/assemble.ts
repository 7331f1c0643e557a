/** What the model sees before the conversation: base instructions, and the developer and user context messages. */

import base from '@tscodex/prompts/base.md';
import boardHint from '@tscodex/prompts/board.md';
import branchSwitched from '@tscodex/prompts/branch-switched.md';
import { type MessageItem, type ResponseItem, textOf } from '../base/response-items.ts';
import { environmentContext, escapeXml } from './environment-context.ts';

export type ContextSettings = {
  cwd: string;
  /** Absolute; null when the workspace has none. */
  boardPath: string | null;
  /** What commands may do, for the model. */
  permissions: string;
  developerInstructions?: string;
  /** Replaces our base instructions. */
  baseInstructions?: string;
  now: Date;
};

export type Context = { instructions: string; prefix: MessageItem[] };

/**
 * Made once per loaded session: what precedes the conversation must not change between requests, or the
 * provider's prefix cache is lost.
 */
export function assembleContext(settings: ContextSettings): Context {
  const developer = [settings.developerInstructions, permissionsPart(settings.permissions)];
  const user = [environmentContext(settings)];
  if (settings.boardPath)
    user.push(`<board path="${escapeXml(settings.boardPath)}">\n${boardHint.trim()}\n</board>`);
  return {
    instructions: settings.baseInstructions ?? base.trim(),
    prefix: [message('developer', developer), message('user', user)],
  };
}

/** What commands may do from here on, where it is not what was said before. */
export function permissionsChange(permissions: string): MessageItem {
  return message('developer', [permissionsPart(permissions)]);
}

/** The files may be others from here on. */
export function branchChange({ from, to }: { from: string; to: string }): MessageItem {
  const names = `from="${escapeXml(from)}" to="${escapeXml(to)}"`;
  return message('developer', [`<branch_switched ${names}>\n${branchSwitched.trim()}\n</branch_switched>`]);
}

/** Whether this is the last that the history says about what commands may do; null: it says nothing. */
export function saysPermissions(history: readonly ResponseItem[], permissions: string): boolean | null {
  const said = history.findLast(
    (item) => item.type === 'message' && item.role === 'developer' && textOf(item).includes(PERMISSIONS),
  );
  return said?.type === 'message' ? textOf(said).includes(permissionsPart(permissions)) : null;
}

const PERMISSIONS = '<permissions instructions>';

function permissionsPart(permissions: string): string {
  return `${PERMISSIONS}\n${permissions}\n</permissions instructions>`;
}

function message(role: 'developer' | 'user', parts: (string | undefined)[]): MessageItem {
  const content = parts.filter((text) => text !== undefined && text !== '');
  return {
    type: 'message',
    role,
    content: content.map((text) => ({ type: 'input_text', text: text as string })),
  };
}
