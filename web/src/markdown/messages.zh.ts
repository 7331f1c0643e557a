import type { Chinese } from '../messages/messages.ts';
import type { markdownMessages } from './messages.ts';

export const markdownMessagesZh = {
  'markdown.wrap': '自动换行',
  'markdown.copy': '复制',
  'markdown.copied': '已复制',
  'markdown.copyFailed': '复制失败',
  'markdown.image': '图片：{name}',
  'markdown.done': '已完成',
  'markdown.open': '未完成',
} as const satisfies Chinese<typeof markdownMessages>;
