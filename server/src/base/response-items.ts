/**
 * The Responses API's item types: the model-visible history, in the form it is sent and stored in. Every other
 * dialect is translated to and from these at the border of `model/`.
 */

export type TextPart = { type: 'input_text' | 'output_text'; text: string };
export type ImagePart = { type: 'input_image'; image_url: string; detail?: string };
export type ContentPart = TextPart | ImagePart;

export type MessageItem = {
  type: 'message';
  role: 'user' | 'assistant' | 'developer' | 'system';
  content: ContentPart[];
  id?: string;
  phase?: string;
  /** A person's own words: for us and our files, no model is sent it. */
  by_person?: true;
};

export type ReasoningItem = {
  type: 'reasoning';
  id?: string;
  summary: { type: 'summary_text'; text: string }[];
  content?: { type: string; text: string }[] | null;
  encrypted_content?: string | null;
};

export type FunctionCall = {
  type: 'function_call';
  id?: string;
  call_id: string;
  name: string;
  namespace?: string;
  /** JSON text as the model wrote it; `{}` where it wrote nothing. */
  arguments: string;
};

export type CustomToolCall = {
  type: 'custom_tool_call';
  id?: string;
  call_id: string;
  name: string;
  /** Free text, as the tool's grammar has it. */
  input: string;
};

export type FunctionCallOutput = {
  type: 'function_call_output';
  call_id: string;
  output: string | ContentPart[];
};
export type CustomToolCallOutput = {
  type: 'custom_tool_call_output';
  call_id: string;
  output: string | ContentPart[];
};

/** Kept and sent back as it came: what the provider ran itself, and what a later version adds. */
export type OtherItem = { type: 'web_search_call' | 'other'; raw: Record<string, unknown> };

export type ToolCallItem = FunctionCall | CustomToolCall;
export type ToolOutputItem = FunctionCallOutput | CustomToolCallOutput;
export type ResponseItem = MessageItem | ReasoningItem | ToolCallItem | ToolOutputItem | OtherItem;

export function isToolCall(item: ResponseItem): item is ToolCallItem {
  return item.type === 'function_call' || item.type === 'custom_tool_call';
}

/** Part of an answer: words, reasoning, calls; not what its calls have brought. */
export function isOfModel(item: ResponseItem): boolean {
  return !isToolOutput(item) && !(item.type === 'message' && item.role !== 'assistant');
}

export function isToolOutput(item: ResponseItem): item is ToolOutputItem {
  return item.type === 'function_call_output' || item.type === 'custom_tool_call_output';
}

/** The output item that belongs to a call, in the call's own form. */
export function outputFor(call: ToolCallItem, output: string | ContentPart[]): ToolOutputItem {
  return call.type === 'function_call'
    ? { type: 'function_call_output', call_id: call.call_id, output }
    : { type: 'custom_tool_call_output', call_id: call.call_id, output };
}

export function userText(text: string): MessageItem {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
}

export function developerText(text: string): MessageItem {
  return { type: 'message', role: 'developer', content: [{ type: 'input_text', text }] };
}

/** The joined text parts of a message, without the tags that frame its images. */
export function textOf({ content }: MessageItem): string {
  return content.map((part, at) => ('text' in part && !isImageTag(content, at) ? part.text : '')).join('');
}

/** `<image …>` right before an image and `</image>` right after it are ours or Codex's, not a person's. */
function isImageTag(content: readonly ContentPart[], at: number): boolean {
  const part = content[at];
  if (part === undefined || !('text' in part)) return false;
  if (content[at + 1]?.type === 'input_image') return /^<image( name=[^\n]*)?>$/.test(part.text);
  return content[at - 1]?.type === 'input_image' && part.text === '</image>';
}

/** The calls that no output follows, in order. An output belongs to the newest call before it that has its id. */
export function unansweredCalls(history: readonly ResponseItem[]): ToolCallItem[] {
  const newest = new Map<string, ToolCallItem>();
  const open = new Set<ToolCallItem>();
  for (const item of history) {
    if (isToolCall(item)) {
      newest.set(item.call_id, item);
      open.add(item);
    } else if (isToolOutput(item)) {
      const call = newest.get(item.call_id);
      if (call) open.delete(call);
    }
  }
  return [...open];
}
