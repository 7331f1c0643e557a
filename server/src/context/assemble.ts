/** What the model sees of a session beside the conversation: its base instructions, and the sections of the context. */
import base from '@tscodex/prompts/base.md';
import boardHint from '@tscodex/prompts/board.md';
import branchSwitched from '@tscodex/prompts/branch-switched.md';
import { developerText, type MessageItem } from '../base/response-items.ts';
import type { ContextSections } from './context-changes.ts';
import { environmentContext, escapeXml } from './environment-context.ts';

export type ContextFacts = {
  cwd: string;
  /** Absolute; null when the workspace has none. */
  boardPath: string | null;
  /** What commands may do, for the model. */
  permissions: string;
  developerInstructions?: string;
  now: Date;
};

/** `configured` replaces ours. */
export function baseInstructions(configured?: string): string {
  return configured ?? base.trim();
}

export function contextSections(facts: ContextFacts): ContextSections {
  const { developerInstructions: instructions, boardPath } = facts;
  return {
    instructions: instructions ? tagged('developer_instructions', instructions) : null,
    skills: null,
    permissions: tagged('permissions instructions', facts.permissions),
    agentsMd: null,
    environment: environmentContext(facts),
    board: boardPath && `<board path="${escapeXml(boardPath)}">\n${boardHint.trim()}\n</board>`,
  };
}

/** The files may be others from here on. */
export function branchChange({ from, to }: { from: string; to: string }): MessageItem {
  const names = `from="${escapeXml(from)}" to="${escapeXml(to)}"`;
  return developerText(`<branch_switched ${names}>\n${branchSwitched.trim()}\n</branch_switched>`);
}

function tagged(tag: string, text: string): string {
  return `<${tag}>\n${text}\n</${tag}>`;
}
