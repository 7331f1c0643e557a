/** What a turn works on, and how it reaches the session around it. */
import type { EventBody, Usage } from '@tscodex/shared/events';
import type { ResponseItem } from '../base/response-items.ts';
import type { ModelFacts } from '../model/catalog.ts';
import type { ModelClient } from '../model/client.ts';
import type { ModelSettings } from '../model/request-parameters.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import type { UniqueIds } from './unique-ids.ts';

export type TurnContext = {
  sessionId: string;
  turnId: string;
  /** Whether another agent has started this one. */
  subAgent: boolean;
  client: ModelClient;
  settings: ModelSettings;
  /** Of the model in the settings. */
  facts: ModelFacts;
  instructions: string;
  /** The conversation so far, with what the model was told of its surroundings. The loop appends to it. */
  history: ResponseItem[];
  tools: readonly Tool[];
  /** Of the items of this conversation. */
  ids: UniqueIds;
};

export type TurnPorts = {
  emit(event: EventBody): void;
  /** Puts items into the session's file. Rejects when it cannot (disk full). */
  record(items: readonly ResponseItem[]): Promise<void>;
  /**
   * Hands over what is meant for this turn and waits: first what started it, later the steers, saved as part of
   * the conversation. None: an empty list.
   */
  takeInputs(): Promise<ResponseItem[]>;
  /** What the model has to be told of its surroundings now and was not yet; recorded. */
  news(): Promise<ResponseItem[]>;
  /** Awaited right before a request goes out. */
  sending(): Promise<void>;
  /** The model writes a call, so that what every call needs can be made ready meanwhile. */
  calling(): void;
  used(usage: Usage): void;
  toolContext(callId: string, itemId: string): ToolContext;
  /** A bug in a tool: for the log, not for the model. */
  toolCrashed(name: string, error: unknown): void;
};
