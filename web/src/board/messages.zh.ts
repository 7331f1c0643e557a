import type { Chinese } from '../messages/messages.ts';
import type { boardMessages } from './messages.ts';

export const boardMessagesZh = {
  'board.title': '看板',
  'board.reload': '重新加载看板',
  'board.loading': '看板有新版本',
  'board.empty': '还没有看板',
  'board.emptyText': '智能体会在工作时把结果写成一个页面，显示在这里。让它往看板上放点东西吧。',
} as const satisfies Chinese<typeof boardMessages>;
