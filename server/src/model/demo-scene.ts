/** What the demo model reads out of a request: it keeps no state, so all it knows is in the history. */
import continued from '@tscodex/prompts/continue.md';
import {
  isToolCall,
  isToolOutput,
  type MessageItem,
  type ResponseItem,
  type ToolOutputItem,
  textOf,
} from '../base/response-items.ts';

export type Scene = {
  /** What this turn was started with. */
  prompt: string;
  /** What arrived since the last response. */
  steers: string[];
  /** The outputs of this turn's calls, in order, without patches that only found the board to exist. */
  results: string[];
  /** The last call found the board to exist, and is to be made again. */
  again: boolean;
  board: { path: string; exists: boolean } | null;
  /** The newest answer to the demo's question. */
  answer: string | undefined;
};

export function readScene(input: readonly ResponseItem[]): Scene {
  const turn = lastTurn(input.filter((_, at) => !isResumption(input, at)));
  const opening = turn.findIndex((item) => !isFromPeople(item));
  const outputs = turn.filter(isToolOutput).map(outputText);
  return {
    prompt: people(opening === -1 ? turn : turn.slice(0, opening)).at(-1) ?? '',
    steers: opening === -1 ? [] : people(turn.slice(turn.findLastIndex((item) => !isFromPeople(item)) + 1)),
    results: outputs.filter((output) => !existsAlready(output)),
    again: existsAlready(outputs.at(-1) ?? ''),
    board: boardIn(input),
    answer: answerIn(input),
  };
}

/** What the program puts in when an interrupted turn goes on: without it the turn is in one piece. */
function isResumption(input: readonly ResponseItem[], at: number): boolean {
  const isContinue = (item: ResponseItem | undefined) =>
    item?.type === 'message' && item.role === 'user' && textOf(item).trim() === continued.trim();
  if (isContinue(input[at])) return true;
  const item = input[at];
  return item?.type === 'message' && /^<turn_aborted>/.test(textOf(item)) && isContinue(input[at + 1]);
}

/** From the messages on that follow the last final answer, or the last interruption. */
function lastTurn(input: readonly ResponseItem[]): readonly ResponseItem[] {
  const end = input.findLastIndex((item, at) => {
    if (item.type !== 'message') return false;
    if (item.role !== 'user') return !startsCalls(input, at);
    return !isFromPeople(item);
  });
  return input.slice(end + 1);
}

/** Whether the response that this message belongs to went on with calls. */
function startsCalls(input: readonly ResponseItem[], at: number): boolean {
  const next = input[at + 1];
  return next !== undefined && isToolCall(next);
}

/** Context that the program adds comes in tags. */
function isFromPeople(item: ResponseItem): item is MessageItem {
  return item.type === 'message' && item.role === 'user' && !/^\s*<[a-z_]+[ >]/.test(textOf(item));
}

function people(items: readonly ResponseItem[]): string[] {
  return items.filter(isFromPeople).map(textOf);
}

function outputText({ output }: ToolOutputItem): string {
  if (typeof output === 'string') return output;
  return output.map((part) => ('text' in part ? part.text : '')).join('\n');
}

const existsAlready = (output: string) => /^apply_patch failed.*exists already/s.test(output);

function boardIn(input: readonly ResponseItem[]): Scene['board'] {
  const context = input.flatMap((item) => (item.type === 'message' ? [textOf(item)] : [])).join('\n');
  const path = /<board path="([^"]+)">/.exec(context)?.[1];
  if (path === undefined) return null;
  const file = unescapeXml(path);
  const outputs = input.filter(isToolOutput).map(outputText);
  const exists = outputs.some(
    (output) => output.includes(file) && (existsAlready(output) || output.includes('Success.')),
  );
  return { path: file, exists };
}

function unescapeXml(text: string): string {
  const names: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };
  return text.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => names[name] ?? '');
}

function answerIn(input: readonly ResponseItem[]): string | undefined {
  return input
    .filter(isToolOutput)
    .map((item) => /^\{"answers":\{"colour":\{"answers":\[("(?:[^"\\]|\\.)*")/.exec(outputText(item))?.[1])
    .flatMap((json) => (json === undefined ? [] : [JSON.parse(json) as string]))
    .at(-1);
}
