import type { Chinese } from '../messages/messages.ts';
import type { sessionsMessages } from './messages.ts';

export const sessionsMessagesZh = {
  'sessions.title': '会话',
  'sessions.new': '新建会话',
  'sessions.newWith': '选择模型',
  'sessions.key': 'Alt N',
  'sessions.demo': '演示模型，非 AI',
  'sessions.untitled': '未命名会话',
  'sessions.notCreated': '没能新建会话。{reason}',

  'sessions.running': '运行中',
  'sessions.stopping': '正在停止',
  'sessions.asking': '等你处理',
  'sessions.asks': '待处理',
  'sessions.paused': '已暂停',
  'sessions.unread': '新',
  'sessions.broken': '无法加载',

  'sessions.close': '关闭这个会话',
  'sessions.closeTitle': '会话还在工作，确定关闭？',
  'sessions.closeText': '正在运行的内容会停止。对话仍保留在磁盘上。',
  'sessions.closeConfirm': '停止并关闭',
  'sessions.closeFailed': '没能关闭。{reason}',

  'sessions.confined': '命令由操作系统隔离：{mode}',
  'sessions.notConfined': '未隔离',
  'sessions.notConfinedText': '没有沙箱限制命令。每条命令和每处改动都会先征求同意。',
  'sessions.dangerous':
    '命令不经询问、不加隔离地运行：approval_policy 为 “never”，sandbox_mode 为 “danger-full-access”。',
  'sessions.failed': '无法跟踪这个会话',
} as const satisfies Chinese<typeof sessionsMessages>;
