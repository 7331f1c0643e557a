/**
 * The Chinese table (mainland usage). Words, always the same for the same thing:
 *
 * session 会话 · workspace 工作区 · board 看板 · agent 智能体 · turn 轮（本轮、这一轮）· message 消息 · steer 插话 ·
 * queue 排队 · question 提问 · approval 审批（allow 允许、decline 拒绝）· answer 回答 · waits for you 等你处理 ·
 * command 命令 · patch, change 改动 · confined 已隔离 / not confined 未隔离 · sandbox 沙箱 · permissions 权限 · rule 规则 · background 后台 ·
 * model 模型 · effort 推理强度 · profile 配置档 · context 上下文 · compact 压缩 · usage 用量 · history 历史 · token（login）令牌 ·
 * directory 目录 · draft 草稿 · unread 未读 · notice 提示 · sub-agent 子智能体 · fork 分叉 · archive 归档 · export 导出 · inbox 待处理 · log in 登录
 *
 * 你, not 您; no full stop after a label; one blank between Chinese and Latin letters or digits; full-width
 * punctuation; names of settings, commands and files stay as they are typed.
 */
import { agentsMessagesZh } from '../agents/messages.zh.ts';
import { apiMessagesZh } from '../api/messages.zh.ts';
import { asksMessagesZh } from '../asks/messages.zh.ts';
import { backgroundMessagesZh } from '../background/messages.zh.ts';
import { boardMessagesZh } from '../board/messages.zh.ts';
import { catalogMessagesZh } from '../catalog/messages.zh.ts';
import { composerMessagesZh } from '../composer/messages.zh.ts';
import { conversationMessagesZh } from '../conversation/messages.zh.ts';
import { imagesMessagesZh } from '../images/messages.zh.ts';
import { inboxMessagesZh } from '../inbox/messages.zh.ts';
import { markdownMessagesZh } from '../markdown/messages.zh.ts';
import { notificationsMessagesZh } from '../notifications/messages.zh.ts';
import { pagesMessagesZh } from '../pages/messages.zh.ts';
import { peopleMessagesZh } from '../people/messages.zh.ts';
import { permissionsMessagesZh } from '../permissions/messages.zh.ts';
import { rulesMessagesZh } from '../rules/messages.zh.ts';
import { sessionsMessagesZh } from '../sessions/messages.zh.ts';
import { uiMessagesZh } from '../ui/messages.zh.ts';
import { usageMessagesZh } from '../usage/messages.zh.ts';
import { workspacesMessagesZh } from '../workspaces/messages.zh.ts';
import type { en } from './en.ts';
import type { Chinese } from './messages.ts';

export { serverSentencesZh } from './server.zh.ts';

export const zh: Chinese<typeof en> = {
  ...agentsMessagesZh,
  ...apiMessagesZh,
  ...asksMessagesZh,
  ...backgroundMessagesZh,
  ...boardMessagesZh,
  ...catalogMessagesZh,
  ...composerMessagesZh,
  ...conversationMessagesZh,
  ...imagesMessagesZh,
  ...inboxMessagesZh,
  ...markdownMessagesZh,
  ...notificationsMessagesZh,
  ...pagesMessagesZh,
  ...peopleMessagesZh,
  ...permissionsMessagesZh,
  ...rulesMessagesZh,
  ...sessionsMessagesZh,
  ...uiMessagesZh,
  ...usageMessagesZh,
  ...workspacesMessagesZh,
};
