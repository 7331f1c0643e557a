import type { Chinese } from '../messages/messages.ts';
import type { apiMessages } from './messages.ts';

export const apiMessagesZh = {
  'api.unreachable': '连不上服务器。请确认服务器正在运行，并且本设备已联网。',
  'api.unreadable': '收到的 {status} 响应不是本服务器发出的。中间是否有代理？',
  'api.proxyLimit': '中间的代理拒绝了这么大的请求。请让它接受 16 MB（nginx：client_max_body_size 16m）。',
  'api.proxyAlone':
    '中间的代理返回 {status}：它连不上服务器。请确认服务器正在运行，以及代理中配置的地址是否正确。',
  'api.refused':
    '服务器有响应，但无法建立实时连接：中间的代理不转发 WebSocket。nginx 需要：proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade";',
  'api.silent':
    '实时连接已打开，却收不到任何内容：中间的代理没有及时转发服务器发出的数据。请关闭它的缓冲（nginx：proxy_buffering off）。',
  'api.idle':
    '实时连接只要空闲 {count} 秒，就会被中间的代理断开。请把代理的超时设为一小时（nginx：proxy_read_timeout 1h; proxy_send_timeout 1h）。',
} as const satisfies Chinese<typeof apiMessages>;
