import type { Chinese } from '../messages/messages.ts';
import type { agentsMessages } from './messages.ts';

export const agentsMessagesZh = {
  'agents.pending': '即将开始',
  'agents.running': '工作中',
  'agents.completed': '已完成',
  'agents.failed': '失败',
  'agents.closed': '已关闭',
  'agents.stopped': '还没做完就被停止了。',
  'agents.cutOff': '服务器重启，它中断了。',
  'agents.conversation': '{nickname} 的对话',
  'agents.earlier': '前面还有更多内容。',
  'agents.openAlone': '单独打开 {nickname}',
  'agents.unreadable': '无法显示 {nickname}：{reason}',
  'agents.stop': '停止',
  'agents.stopping': '正在停止…',
  'agents.stopAgent': '停止 {nickname}',
  'agents.asks': '{nickname} 等你处理',
  'agents.chip': '{count} 个子智能体',
  'agents.working': '{count} 个子智能体正在工作',
  'agents.of': '“{session}”的子智能体',
} as const satisfies Chinese<typeof agentsMessages>;
