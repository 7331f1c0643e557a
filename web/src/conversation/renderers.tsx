import type { Item } from '@tscodex/shared/items';
import type { ComponentType } from 'react';
import { AgentMessageView } from './agent-message.tsx';
import { CommandView } from './command.tsx';
import { CompactionView } from './compaction.tsx';
import { FileChangeView } from './file-change.tsx';
import { ImageView } from './image-view.tsx';
import type { ItemProps } from './item-props.ts';
import { NoticeView } from './notice.tsx';
import { PlanView } from './plan.tsx';
import { ReasoningView } from './reasoning.tsx';
import { SubAgentView } from './sub-agent.tsx';
import { ToolCallView } from './tool-call.tsx';
import { UnknownItemView } from './unknown-item.tsx';
import { UserMessageView } from './user-message.tsx';
import { WebSearchView } from './web-search.tsx';

type Renderers = { [Type in Item['type']]: ComponentType<ItemProps<Extract<Item, { type: Type }>>> };

/** One renderer an item type. A new type is a file and a line here. */
const renderers: Renderers = {
  userMessage: UserMessageView,
  agentMessage: AgentMessageView,
  reasoning: ReasoningView,
  commandExecution: CommandView,
  fileChange: FileChangeView,
  toolCall: ToolCallView,
  webSearch: WebSearchView,
  imageView: ImageView,
  plan: PlanView,
  compaction: CompactionView,
  subAgent: SubAgentView,
  notice: NoticeView,
};

/** The renderer of a type; an item of a type this page does not know is still shown. */
export function rendererOf(type: string): ComponentType<ItemProps> {
  const known = Object.hasOwn(renderers, type) ? renderers[type as Item['type']] : undefined;
  return (known ?? UnknownItemView) as ComponentType<ItemProps>;
}
