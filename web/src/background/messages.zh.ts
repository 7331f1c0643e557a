import type { Chinese } from '../messages/messages.ts';
import type { backgroundMessages } from './messages.ts';

export const backgroundMessagesZh = {
  'background.title': '后台',
  'background.chip': '{count} 条运行中',
  'background.open': '{count} 条命令在后台运行',
  'background.wakes': '每 {minutes} 分钟唤醒智能体',
  'background.everyMinute': '每分钟唤醒智能体',
  'background.everyHours': '每 {count} 小时唤醒智能体',
  'background.everyDays': '每 {count} 天唤醒智能体',
  'background.next': '下次 {time}',
  'background.about': '会一直运行，直到你停止它或关闭会话。',
  'background.since': '{time} 起',
  'background.stop': '停止',
  'background.stopCommand': '停止：{command}',
  'background.stopClock': '停止定时唤醒',
  'background.stopping': '正在停止…',
  'background.notStopped': '没有停止。{reason}',
} as const satisfies Chinese<typeof backgroundMessages>;
