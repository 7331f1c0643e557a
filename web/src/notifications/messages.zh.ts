import type { Chinese } from '../messages/messages.ts';
import type { notificationsMessages } from './messages.ts';

export const notificationsMessagesZh = {
  'notifications.title': '通知',
  'notifications.open': '通知',
  'notifications.openOff': '通知已关闭',
  'notifications.on': '在这台设备上显示通知',
  'notifications.when': '会话出现以下情况时',
  'notifications.waiting': '等待回答或审批',
  'notifications.done': '已完成',
  'notifications.failed': '失败',
  'notifications.perSession':
    '单个会话的通知可以在它的菜单中关闭。无论这里怎么选，标签页的标题和图标都会显示有多少事项在等你处理。',
  'notifications.ask': '浏览器会询问是否允许这个页面显示通知。',
  'notifications.denied':
    '浏览器阻止了这个页面的通知。请在浏览器的网站设置中（点击地址旁边的图标）允许通知，然后在这里打开。',
  'notifications.insecure':
    '浏览器只允许 https:// 页面或本机页面显示通知。服务器的管理员可以为它配置 HTTPS。',
  'notifications.missing': '这个浏览器不支持网页通知。',
  'notifications.sample': '通知会像这样显示。',

  'notifications.body': '{what} · {workspace}',
  'notifications.saysDone': '已完成',
  'notifications.saysFailed': '失败',
  'notifications.saysQuestion': '有问题要问你',
  'notifications.saysApproval': '等你审批',
  'notifications.several': '会话中有 {count} 项新动态',
} as const satisfies Chinese<typeof notificationsMessages>;
