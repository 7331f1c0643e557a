/** An item of a conversation as Codex's app-server tells of it (0.171.0, observed). Pure. */
import type { CommandExecution, FileEdit, Item, ItemStatus, UserMessage } from '@tscodex/shared/items';

import { AgentCalls } from '../agent-calls.ts';
import { calledItem, spawnedItems } from './agent-item.ts';

export type ThreadItem = { type: string; id: string } & Record<string, unknown>;

/** Where an item's images are; and the ids that the client has given to messages. */
export type ItemFacts = {
  imagePath(attachmentId: string): string;
  clientId(inputId: string): string | null;
  /** Of the thread's agent. */
  calls: AgentCalls;
};

/** Tools that show otherwise: a plan is news of the turn, a question is a request. */
const SHOWN_OTHERWISE = new Set(['update_plan', 'request_user_input', 'request_permissions']);

/** null for what has no item there: notices, plans. */
export function threadItem(item: Item, facts: ItemFacts): ThreadItem | null {
  const body = bodyOf(item, facts);
  if (!body) return null;
  const completedAt = item.completedAt ?? (item.status === 'inProgress' ? null : item.startedAt);
  const times = {
    startedAtMs: Date.parse(item.startedAt),
    completedAtMs: completedAt && Date.parse(completedAt),
  };
  const { type, ...rest } = body;
  return { type, id: item.id, ...rest, ...times };
}

function bodyOf(item: Item, facts: ItemFacts): ({ type: string } & Record<string, unknown>) | null {
  switch (item.type) {
    case 'userMessage':
      return { type: item.type, clientId: facts.clientId(item.inputId), content: contentOf(item, facts) };
    case 'agentMessage':
      return {
        ...{ type: item.type, moderation: null, text: item.text, phase: phaseOf(item.phase) },
        ...{ memoryCitation: null, delivery: null, questions: null },
      };
    case 'reasoning':
      return { type: item.type, summary: item.summary, content: item.text ? [item.text] : [] };
    case 'commandExecution':
      return commandOf(item);
    case 'fileChange':
      return { type: item.type, changes: item.changes.map(changeOf), status: statusOf(item.status) };
    case 'toolCall':
      if (SHOWN_OTHERWISE.has(item.name)) return null;
      return AgentCalls.isOne(item) ? calledItem(item, facts.calls) : toolOf(item);
    case 'subAgent': {
      const [begun, ended] = spawnedItems(item, facts.calls);
      return item.status === 'inProgress' ? begun : ended;
    }
    case 'webSearch':
      return {
        ...{ type: item.type, query: item.query, results: null },
        action: { type: 'search', query: item.query, queries: [item.query] },
      };
    case 'imageView':
      return { type: item.type, path: item.path };
    case 'compaction':
      return { type: 'contextCompaction' };
    default:
      return null;
  }
}

function contentOf({ text, attachments }: UserMessage, { imagePath }: ItemFacts): object[] {
  const images = attachments.map(({ id }) => ({ type: 'localImage', detail: null, path: imagePath(id) }));
  return [{ type: 'text', text, text_elements: [] }, ...images];
}

function phaseOf(phase: 'commentary' | 'final' | undefined): string | null {
  if (phase === undefined) return null;
  return phase === 'final' ? 'final_answer' : phase;
}

function commandOf(item: CommandExecution) {
  const { command, cwd, processId, status, output, exitCode, durationMs } = item;
  return {
    ...{
      type: item.type,
      pluginId: null,
      scriptPath: null,
      command: shellLine(command),
      cwd,
      processId: processId ?? null,
    },
    ...{ source: 'agent', status: statusOf(status), commandActions: actionsOf(command) },
    aggregatedOutput: output === '' ? null : output,
    ...{ exitCode: exitCode ?? null, durationMs: durationMs ?? null },
  };
}

/** As Codex starts every command, and clients take apart to show it. */
export function shellLine(command: string): string {
  return `/bin/bash -lc '${command.replaceAll("'", `'"'"'`)}'`;
}

/** What a command does is not guessed at here. */
export function actionsOf(command: string) {
  return [{ type: 'unknown', command }];
}

/** A diff is the new file itself for one that is added, and the old one for one that is deleted. */
export function changeOf({ path, kind, movedTo, diff }: FileEdit) {
  if (kind === 'add') return { path, kind: { type: 'add' }, diff: linesWith('+', diff) };
  if (kind === 'delete') return { path, kind: { type: 'delete' }, diff: linesWith('-', diff) };
  const hunks = diff === '' || diff.endsWith('\n') ? diff : `${diff}\n`;
  return { path, kind: { type: 'update', move_path: movedTo ?? null }, diff: hunks };
}

function linesWith(mark: string, diff: string): string {
  const lines = diff.split('\n').filter((line) => line.startsWith(mark));
  return lines.map((line) => `${line.slice(1)}\n`).join('');
}

function toolOf(item: Item & { type: 'toolCall' }) {
  const { name, server, output, error } = item;
  const done = item.status !== 'inProgress';
  const status = item.status === 'declined' ? 'failed' : statusOf(item.status);
  const content = output === undefined ? [] : [{ type: 'text', text: output }];
  if (server === undefined)
    return {
      ...{ type: 'dynamicToolCall', namespace: null, tool: name, arguments: parsed(item.arguments), status },
      contentItems: done ? content.map(({ text }) => ({ type: 'inputText', text })) : null,
      ...{ success: done ? status === 'completed' : null, durationMs: durationOf(item) },
    };
  return {
    ...{ type: 'mcpToolCall', server, environmentId: null, tool: name, status },
    ...{
      arguments: parsed(item.arguments),
      appContext: null,
      mcpAppUi: null,
      pluginId: null,
      readOnlyHint: null,
    },
    result: output === undefined ? null : { content, structuredContent: null, _meta: null },
    ...{ error: error === undefined ? null : { message: error }, durationMs: durationOf(item) },
  };
}

function durationOf({ startedAt, completedAt }: Item): number | null {
  return completedAt === undefined ? null : Math.max(0, Date.parse(completedAt) - Date.parse(startedAt));
}

/** There is no word for what a stop has cut. */
function statusOf(status: ItemStatus): string {
  return status === 'interrupted' ? 'failed' : status;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
