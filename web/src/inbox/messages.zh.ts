import type { Chinese } from '../messages/messages.ts';
import type { inboxMessages } from './messages.ts';

export const inboxMessagesZh = {
  'inbox.title': '待处理',
  'inbox.key': 'Alt I',
  'inbox.open': '待处理（Alt I）',
  'inbox.openWaiting': '待处理：{count} 项等你处理（Alt I）',
  'inbox.waiting': '待处理：{count} 项等你处理',
  'inbox.close': '关闭待处理',
  'inbox.section': '等你处理',
  'inbox.empty': '没有等你处理的事',
  'inbox.emptyText': '所有工作区的提问和审批都会集中在这里。',

  'inbox.command': '运行这条命令？',
  'inbox.patch': '修改这些文件？',
  'inbox.permissions': '授予更多权限？',
  'inbox.mcp': '让这个工具运行？',
  'inbox.question': '提问',
  'inbox.paused': '已暂停',
  'inbox.pausedText': '恢复之前，那里不会开始新的工作。原因见会话。',
  'inbox.outside': '不在可写范围内：',
  'inbox.alsoMay': '可以{words}',
  'inbox.cut': '请打开会话，看到全部内容后再决定',

  'inbox.view': '打开',
  'inbox.viewSession': '打开 {session}',
  'inbox.allowIn': '允许一次：{command}',
  'inbox.declineIn': '拒绝：{command}',
  'inbox.allowed': '你已允许',
  'inbox.declined': '你已拒绝',
  'inbox.gone': '不再需要处理',
  'inbox.failed': '没能提交决定：{reason}',

  'inbox.newCommand': '{workspace} 请求批准：{text}',
  'inbox.newQuestion': '{workspace} 提问：{text}',
  'inbox.newPaused': '{workspace}：{session} 已暂停',
  'inbox.newMany': '又有 {count} 项等你处理',
} as const satisfies Chinese<typeof inboxMessages>;
