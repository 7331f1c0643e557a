import type { Chinese } from '../messages/messages.ts';
import type { apiMessages } from './messages.ts';

export const apiMessagesZh = {
  'api.unreachable': '连不上服务器。请确认服务器正在运行，并且本设备已联网。',
  'api.unreadable': '收到的 {status} 响应不是本服务器发出的。中间是否有代理？',
  'api.refused': '服务器有响应，但拒绝实时连接。代理可能丢弃了 WebSocket 或 Host 请求头。',
} as const satisfies Chinese<typeof apiMessages>;
