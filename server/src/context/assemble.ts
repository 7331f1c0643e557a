/** The sections of the context, from what is known of a session and what people wrote for its agent. */
import boardHint from '@tscodex/prompts/board.md';
import branchSwitched from '@tscodex/prompts/branch-switched.md';
import { developerText, type MessageItem } from '../base/response-items.ts';
import type { ContextSections } from './context-changes.ts';
import { environmentContext, escapeXml, type Surroundings } from './environment-context.ts';

export type ContextFacts = Surroundings & {
  /** Absolute; null when the workspace has none. */
  boardPath: string | null;
  /** What commands may do, for the model. */
  permissions: string;
  developerInstructions?: string | undefined;
  /** As the model is told it, each; null where there is nothing to say. */
  skills: string | null;
  agentsMd: string | null;
};

export function contextSections(facts: ContextFacts): ContextSections {
  const { developerInstructions: instructions, boardPath, skills, agentsMd } = facts;
  return {
    instructions: instructions ? tagged('developer_instructions', instructions) : null,
    skills,
    permissions: tagged('permissions instructions', facts.permissions),
    agentsMd,
    environment: environmentContext(facts),
    board: boardPath && boardContext(boardPath),
  };
}

/** Where the board is and what it is for. */
export function boardContext(path: string): string {
  return `<board path="${escapeXml(path)}">\n${boardHint.trim()}\n</board>`;
}

/** The files may be others from here on. */
export function branchChange({ from, to }: { from: string; to: string }): MessageItem {
  const names = `from="${escapeXml(from)}" to="${escapeXml(to)}"`;
  return developerText(`<branch_switched ${names}>\n${branchSwitched.trim()}\n</branch_switched>`);
}

function tagged(tag: string, text: string): string {
  return `<${tag}>\n${text}\n</${tag}>`;
}
