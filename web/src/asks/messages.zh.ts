import type { Chinese } from '../messages/messages.ts';
import type { asksMessages } from './messages.ts';

export const asksMessagesZh = {
  'asks.question': '提问',
  'asks.approval': '审批',
  'asks.questionOpened': '智能体提问：{question}',
  'asks.approvalOpened': '智能体请求批准：{what}',

  'asks.runCommand': '运行这条命令？',
  'asks.applyPatch': '修改 {count} 个文件？',
  'asks.permissions': '授予更多权限？',
  'asks.mcp': '让这个工具运行？',
  'asks.notConfined': '未隔离',
  'asks.notConfinedHint': '这条命令不受任何限制：你的账户能做的事，它都能做。',
  'asks.in': '目录：{cwd}',

  'asks.once': '允许一次',
  'asks.session': '本会话内允许',
  'asks.scope.command': '本会话内仅允许：在此目录中运行完全相同的这条命令',
  'asks.scope.patch': '本会话内仅允许：对这些文件的改动',
  'asks.decline': '拒绝',
  'asks.declineWithReason': '拒绝并说明原因…',
  'asks.reason': '为什么拒绝，应该怎么做',
  'asks.sendReason': '以此原因拒绝',

  'asks.other': '其他',
  'asks.otherText': '你自己的回答：{question}',
  'asks.ownAnswer': '你的回答',
  'asks.submit': '提交',
  'asks.answering': '正在回答…',
  'asks.place': '第 {at} 个，共 {of} 个',
  'asks.expires': '{time} 前有效',
  'asks.dismiss': '不回答',
  'asks.failed': '没有答上：{reason}',
} as const satisfies Chinese<typeof asksMessages>;
