import type { Chinese } from '../messages/messages.ts';
import type { uiMessages } from './messages.ts';

export const uiMessagesZh = {
  'ui.reload': '重新加载页面',
  'ui.crash': '页面的这一部分出错了。你的会话仍在继续，已发送的内容不会丢失。',
  'ui.cancel': '取消',
  'ui.close': '关闭',
  'ui.tryAgain': '重试',
  'ui.loading': '加载中…',
  'ui.now': '刚刚',
  'ui.minutes': '{count} 分钟前',
  'ui.hours': '{count} 小时前',
  'ui.days': '{count} 天前',
  'ui.lastsMilliseconds': '{ms} 毫秒',
  'ui.lastsSeconds': '{s} 秒',
  'ui.lastsMinutes': '{m} 分 {s} 秒',
  'ui.lastsHours': '{h} 小时 {m} 分',

  'ui.edited': '已编辑',
  'ui.added': '已新增',
  'ui.deleted': '已删除',
  'ui.moved': '已移动',
  'ui.edit': '编辑',
  'ui.add': '新增',
  'ui.delete': '删除',
  'ui.move': '移动',
  'ui.movedTo': '{from} → {to}',
  'ui.linesAdded': '新增 {count} 行',
  'ui.linesRemoved': '删除 {count} 行',
  'ui.showLines': '再显示 {count} 行',
  'ui.noChanges': '没有改动',
  'ui.diffOf': '{path} 的改动',
} as const satisfies Chinese<typeof uiMessages>;
