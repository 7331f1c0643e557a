import type { Chinese } from '../messages/messages.ts';
import type { catalogMessages } from './messages.ts';

export const catalogMessagesZh = {
  'catalog.title': '所有会话',
  'catalog.key': 'Ctrl K',
  'catalog.keyMac': '⌘ K',
  'catalog.search': '搜索标题和对话内容',
  'catalog.scope': '查看哪些会话',
  'catalog.scope.everywhere': '全部',
  'catalog.scope.here': '当前工作区',
  'catalog.scope.archived': '已归档',

  'catalog.today': '今天',
  'catalog.yesterday': '昨天',
  'catalog.week': '最近 7 天',
  'catalog.titles': '会话',
  'catalog.said': '对话内容',
  'catalog.moreTitles': '更多标题或目录匹配的会话',
  'catalog.open': '已打开',
  'catalog.archived': '已归档',
  'catalog.places': '{count} 处',
  'catalog.by.user': '用户',
  'catalog.by.agent': '智能体',

  'catalog.searching': '正在搜索对话内容…',
  'catalog.counted': '找到 {count} 个会话',
  'catalog.cut': '只显示最新的结果。多输入几个词可以缩小范围。',
  'catalog.none': '还没有会话。Codex CLI 的会话也会列在这里。',
  'catalog.noneHere': '这个工作区还没有会话。',
  'catalog.noneArchived': '没有已归档的会话。',
  'catalog.noneFound': '没有找到“{query}”。',
  'catalog.noneYet': '还没有结果：会话仍在读取中。',
  'catalog.reading': '正在读取：{done} / {total} 个文件。尚未读取的内容暂时搜不到。',
  'catalog.notListed': '无法列出会话。{reason}',
  'catalog.notSearched': '无法搜索对话内容。{reason}',

  'catalog.actions': '“{title}”的操作',
  'catalog.unarchive': '取消归档',
  'catalog.notBack': '没能恢复。{reason}',
  'catalog.whichWorkspace': '它不属于任何工作区。在哪个工作区打开？',
  'catalog.noWorkspace': '没有可以打开它的工作区。请先在首页添加一个。',
  'catalog.backToList': '返回列表',
} as const satisfies Chinese<typeof catalogMessages>;
