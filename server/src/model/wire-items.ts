/** Response items as they are sent: what the conversation holds, in a form that servers of the API take back. */
import { v5 as uuidFrom } from 'uuid';
import type {
  ContentPart,
  CustomToolCall,
  FunctionCall,
  MessageItem,
  ReasoningItem,
  ResponseItem,
} from '../base/response-items.ts';
import type { ModelRequest } from './client.ts';

type WireItem = Record<string, unknown>;

/** How the model wants them. */
type Form = Pick<ModelRequest, 'lite' | 'toolStyle'>;

/** Where ids of ours come from; chosen at random once. */
const IDS = 'c7b6ac5d-50d0-4a5f-8a34-6c1f0c2f6b0e';

/** Makes each item once for all the requests it goes out with. Items must not change after their first request. */
export class WireItems {
  readonly #made = new Map<string, WeakMap<ResponseItem, WireItem>>();

  of(items: readonly ResponseItem[], form: Form): WireItem[] {
    const key = `${form.lite ?? false} ${form.toolStyle}`;
    const made = this.#made.get(key) ?? new WeakMap<ResponseItem, WireItem>();
    this.#made.set(key, made);
    return items.map((item) => {
      const known = made.get(item);
      if (known) return known;
      const wire = itemToWire(item, form);
      made.set(item, wire);
      return wire;
    });
  }
}

function itemToWire(item: ResponseItem, { lite = false, toolStyle }: Form): WireItem {
  const plain = (parts: ContentPart[]) => (lite ? parts.map(withoutDetail) : parts);
  switch (item.type) {
    case 'other':
    case 'web_search_call':
      return item.raw;
    case 'message':
      return item.role === 'assistant' ? answer(item) : said(item, plain(item.content));
    case 'reasoning':
      return reasoning(item);
    case 'function_call':
      return functionCall(item);
    case 'custom_tool_call':
      return toolStyle === 'function' ? asFunction(item) : { ...item, ...idOf(item, 'ctc') };
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const { output } = item;
      const type = toolStyle === 'function' ? 'function_call_output' : item.type;
      return { ...item, type, output: typeof output === 'string' ? output : plain(output) };
    }
  }
}

function said({ by_person: _, ...item }: MessageItem, content: ContentPart[]): WireItem {
  return { ...item, content };
}

/** With all that the API's description has of an answer: some servers take none back that lacks a part of it. */
function answer(item: MessageItem): WireItem {
  const texts = item.content.map((part) =>
    part.type === 'output_text' ? { ...part, annotations: [] } : part,
  );
  const content = texts.length > 0 ? texts : [{ type: 'output_text', text: '', annotations: [] }];
  return { ...item, ...idOf(item, 'msg'), status: 'completed', content };
}

/** Always names its encrypted content, and plain content only where it is reasoning text (as Codex sends it). */
function reasoning({ content, ...item }: ReasoningItem): WireItem {
  const plain = content?.some((part) => part.type === 'reasoning_text') ? { content } : {};
  return { encrypted_content: null, ...item, ...idOf(item, 'rs'), ...plain };
}

/** Servers that read the arguments of earlier calls fail at what is no object: the model sees its words in one. */
function functionCall(item: FunctionCall): WireItem {
  return { ...item, ...idOf(item, 'fc'), arguments: asObject(item.arguments) };
}

function asObject(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text;
  } catch {
    // no JSON at all
  }
  return JSON.stringify({ no_json_object: text });
}

function asFunction({ call_id, name, input, ...item }: CustomToolCall): WireItem {
  const args = JSON.stringify({ input });
  return { type: 'function_call', ...idOf(item, 'fc'), call_id, name, arguments: args };
}

/** OpenAI takes no ids but such as its own: one that another server made is turned into one, always the same. */
function idOf({ id }: { id?: string }, prefix: string): { id?: string } {
  if (id === undefined || (id.startsWith(`${prefix}_`) && id.length <= 64))
    return id === undefined ? {} : { id };
  return { id: `${prefix}_${uuidFrom(id, IDS)}` };
}

function withoutDetail(part: ContentPart): ContentPart {
  if (part.type !== 'input_image') return part;
  const { detail: _, ...image } = part;
  return image;
}
