/** The words around a conversation in its Markdown, in the languages of the page. */
import type { PageLanguage } from '../page-language.ts';

const en = {
  untitled: 'Untitled session',
  session: 'Session',
  begun: 'Begun',
  directory: 'Directory',
  model: 'Model',
  person: 'User',
  agent: 'Agent',
  thought: 'Thought',
  ran: 'Ran',
  exit: 'exit',
  leftOut: 'bytes left out',
  changed: 'Changed',
  added: 'Added',
  deleted: 'Deleted',
  moved: 'Moved',
  called: 'Called',
  searched: 'Searched the web for',
  looked: 'Looked at',
  plan: 'Plan',
  compacted: 'Context compacted',
  subAgent: 'Sub-agent',
  imageGone: 'image is gone',
  status: { inProgress: 'in progress', failed: 'failed', declined: 'declined', interrupted: 'interrupted' },
};
export type ExportWords = typeof en;

const zh: ExportWords = {
  untitled: '未命名会话',
  session: '会话',
  begun: '开始于',
  directory: '目录',
  model: '模型',
  person: '用户',
  agent: '智能体',
  thought: '思考',
  ran: '运行了',
  exit: '退出码',
  leftOut: '字节已省略',
  changed: '修改了',
  added: '新增了',
  deleted: '删除了',
  moved: '移动了',
  called: '调用了',
  searched: '搜索了网页',
  looked: '查看了',
  plan: '计划',
  compacted: '上下文已压缩',
  subAgent: '子智能体',
  imageGone: '图片已不在',
  status: { inProgress: '进行中', failed: '失败', declined: '已拒绝', interrupted: '已中断' },
};

export function exportWords(language: PageLanguage): ExportWords {
  return { en, zh }[language];
}
