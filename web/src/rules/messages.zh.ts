import type { Chinese } from '../messages/messages.ts';
import type { rulesMessages } from './messages.ts';

export const rulesMessagesZh = {
  'rules.title': '规则',
  'rules.open': '规则…',
  'rules.about':
    '以这些词开头的命令由规则决定，在这台服务器的所有工作区里都有效。Codex 读取的也是 {dir} 中的这些文件。',
  'rules.empty': '还没有规则',
  'rules.emptyText':
    '智能体请求运行命令时，选择“总是允许…”就会添加一条。Codex 在 {dir} 中的规则在这里同样有效。',
  'rules.loading': '正在加载…',
  'rules.failed': '无法读取规则。{reason}',
  'rules.decision.allow': '直接运行，不询问',
  'rules.decision.prompt': '总是先询问',
  'rules.decision.forbidden': '禁止运行',
  'rules.git':
    '在 Codex 上运行的会话在任何仓库里都照它执行，而智能体可以更改 git 在那里、在沙箱之外运行的内容。',
  'rules.place': '{file} 第 {line} 行',
  'rules.made': '在这里添加',
  'rules.madeBy': '由 {by} 添加',
  'rules.revoke': '撤销',
  'rules.revokeRule': '撤销：{rule}',
  'rules.revokeTitle': '撤销 {rule} 的规则？',
  'rules.revoke.allow': '今后这类命令会重新询问，或留在沙箱之内。',
  'rules.revoke.prompt': '今后这类命令不再因此询问。',
  'rules.revoke.forbidden': '今后这类命令不再因此被禁止。',
  'rules.revokeText': '{what}规则会从 {place} 中删除，无法在这里恢复。',
  'rules.notRevoked': '没有撤销。{reason}',
  'rules.unreadable': '无法读取，因此不允许任何命令',
} as const satisfies Chinese<typeof rulesMessages>;
