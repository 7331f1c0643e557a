import type { Chinese } from '../messages/messages.ts';
import type { workspacesMessages } from './messages.ts';

export const workspacesMessagesZh = {
  'workspaces.title': '工作区',
  'workspaces.sessions': '{count} 个会话',
  'workspaces.running': '{count} 个运行中',
  'workspaces.asking': '{count} 个等你处理',
  'workspaces.broken': '无法使用',
  'workspaces.empty': '还没有工作区',
  'workspaces.emptyText':
    '工作区就是一个目录，加上它的会话和看板。在 workspaces.json 中写上一个，它就会出现在这里。',
} as const satisfies Chinese<typeof workspacesMessages>;
