import type { Chinese } from '../messages/messages.ts';
import type { boardMessages } from './messages.ts';

export const boardMessagesZh = {
  'board.title': '看板',
  'board.reload': '重新加载看板',
  'board.loading': '看板有新版本',
  'board.popOut': '在单独的窗口中打开看板',
  'board.width': '看板宽度',
  'board.share': '占窗口宽度的 {count}%',
  'board.widthHint': '拖动可调整宽度，双击恢复默认宽度',
  'board.hide': '隐藏看板',
  'board.empty': '还没有看板',
  'board.emptyText':
    '看板是智能体编写的页面，会随着工作持续更新：进展如何、有哪些结果和图表、卡在哪里。打开这个工作区的人都能看到。',
  'board.ask': '让智能体做一个看板',
  'board.askHint': '会在输入框中填入一条消息，你可以修改后再发送。',
  'board.suggestion':
    '给这个工作区做一个看板，写明它是做什么的、进展如何、完成了什么、接下来做什么，以后请持续更新。',
} as const satisfies Chinese<typeof boardMessages>;
