import type { Messages } from '../messages/messages.ts';

export const apiMessages = {
  'api.unreachable': 'The server cannot be reached. Check that it runs and that this device is connected.',
  'api.unreadable': 'The server answered {status} with something that is not its own. Is a proxy in between?',
  'api.proxyLimit':
    'A proxy in between refuses a request of this size. Let it take 16 MB (nginx: client_max_body_size 16m).',
  'api.proxyAlone':
    'A proxy in between answers {status}: it does not reach the server. Check that the server runs, and where the proxy looks for it.',
  'api.refused':
    'The server answers, but the live connection does not come about: a proxy in between does not pass WebSockets on. nginx needs: proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade";',
  'api.silent':
    'The live connection opens, but nothing arrives: a proxy in between holds back what the server sends. Turn its buffering off (nginx: proxy_buffering off).',
  'api.idle': {
    one: 'A proxy in between closes the live connection whenever it is quiet for {count} second. Let it wait an hour (nginx: proxy_read_timeout 1h; proxy_send_timeout 1h).',
    other:
      'A proxy in between closes the live connection whenever it is quiet for {count} seconds. Let it wait an hour (nginx: proxy_read_timeout 1h; proxy_send_timeout 1h).',
  },
} as const satisfies Messages;
