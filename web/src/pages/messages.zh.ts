import type { Chinese } from '../messages/messages.ts';
import type { pagesMessages } from './messages.ts';

export const pagesMessagesZh = {
  'pages.product': 'tscodex',
  'pages.title': '{page} · tscodex',
  'pages.sessionTitle': '{session} · {workspace}',
  'pages.notFound': '页面不存在',
  'pages.notFoundText': '链接可能已失效，或者不完整。',
  'pages.noWorkspace': '找不到工作区“{id}”。它可能已被移除或改名。',
  'pages.toWorkspaces': '所有工作区',
  'pages.logOut': '退出登录',
  'pages.notLoggedOut': '仍处于登录状态。{reason}',
  'pages.panes': '视图',
  'pages.chat': '对话',
  'pages.workspace': '工作区',
  'pages.showBoard': '显示看板',
  'pages.showChat': '显示对话',
  'pages.dismiss': '知道了',
  'pages.lost': '连接中断，正在重试；你写的内容会保留。',

  'login.title': '登录',
  'login.password': '密码',
  'login.hint': '本服务器的密码，或启动时显示的令牌。',
  'login.submit': '登录',
  'login.working': '正在登录…',
  'login.wrong': '密码不对。请检查键盘布局后重试。',
  'login.wrongToken': '链接中的令牌无效或已失效。请使用服务器最近一次启动时给出的链接。',
  'login.wait': '尝试次数过多，请在 {count} 秒后重试。',
} as const satisfies Chinese<typeof pagesMessages>;
