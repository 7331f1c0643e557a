/** What the model sees before the conversation: base instructions, and the developer and user context messages. */

import base from '@tscodex/prompts/base.md';
import boardHint from '@tscodex/prompts/board.md';
import fullAccess from '@tscodex/prompts/permissions/full-access.md';
import refused from '@tscodex/prompts/permissions/refused.md';
import unconfined from '@tscodex/prompts/permissions/unconfined.md';
import type { Permissions } from '@tscodex/shared/permissions';
import type { MessageItem } from '../base/response-items.ts';
import { environmentContext, escapeXml } from './environment-context.ts';

export type ContextSettings = {
  cwd: string;
  /** Absolute; null when the workspace has none. */
  boardPath: string | null;
  permissions: Permissions;
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
  const developer = [
    settings.developerInstructions,
    `<permissions instructions>\n${permissionsText(settings.permissions)}\n</permissions instructions>`,
  ];
  const user = [environmentContext(settings)];
  if (settings.boardPath)
    user.push(`<board path="${escapeXml(settings.boardPath)}">\n${boardHint.trim()}\n</board>`);
  return {
    instructions: settings.baseInstructions ?? base.trim(),
    prefix: [message('developer', developer), message('user', user)],
  };
}

function permissionsText({ approval, sandbox }: Permissions): string {
  if (approval !== 'never') return unconfined.trim();
  return (sandbox === 'danger-full-access' ? fullAccess : refused).trim();
}

function message(role: 'developer' | 'user', parts: (string | undefined)[]): MessageItem {
  const content = parts.filter((text) => text !== undefined && text !== '');
  return {
    type: 'message',
    role,
    content: content.map((text) => ({ type: 'input_text', text: text as string })),
  };
}
