import type { Chinese } from '../messages/messages.ts';
import type { backgroundMessages } from './messages.ts';

export const backgroundMessagesZh = {
  'background.title': '后台',
  'background.chip': '{count} 条运行中',
  'background.open': '{count} 条命令在后台运行',
  'background.about': '它们在自己那一轮结束后仍在运行，直到你停止它们或关闭会话。',
  'background.since': '{time} 起',
  'background.stop': '停止',
  'background.stopCommand': '停止：{command}',
  'background.stopping': '正在停止…',
  'background.notStopped': '没有停止。{reason}',
} as const satisfies Chinese<typeof backgroundMessages>;
