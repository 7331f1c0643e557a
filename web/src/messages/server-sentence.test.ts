import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serverSentencesZh } from './server.zh.ts';
import { serverSentence } from './server-sentence.ts';
import { speak } from './spoken.ts';

afterEach(() => speak('en', ['en']));

test('in English the server speaks for itself', () => {
  expect(serverSentence({ code: 'turn.stopped', message: 'Stopped by Ann.', details: { by: 'Ann' } })).toBe(
    'Stopped by Ann.',
  );
});

describe('in Chinese', () => {
  beforeEach(() => speak('zh', ['zh-CN']));

  test('a known code has its sentence, with the details that came along', () => {
    const stopped = { code: 'turn.stopped', message: 'Stopped by Ann.' };
    expect(serverSentence({ ...stopped, details: { by: 'Ann {by}' } })).toBe('由 Ann {by} 停止。');
    expect(serverSentence({ ...stopped, details: { by: null } })).toBe('已停止。');
    expect(serverSentence(stopped)).toBe('已停止。');
  });

  test('what only the server knows stays in its words', () => {
    const said = { code: 'board.unreadable', message: 'cannot read /srv/b.html (EACCES)' };
    expect(serverSentence(said)).toBe('无法读取看板：cannot read /srv/b.html (EACCES)');
  });

  test('how a command is typed, and what is wrong with a directory, need no English', () => {
    const usage = { code: 'command.usage', message: 'Usage: /queue TEXT', details: { usage: '/queue TEXT' } };
    expect(serverSentence(usage)).toBe('用法：/queue TEXT');
    const details = { path: '/etc', dir: '/srv/w' };
    expect(serverSentence({ code: 'session.cwd-outside', message: '/etc is outside', details })).toBe(
      '/etc 不在工作区之内，请选 /srv/w 或它下面的目录。',
    );
  });

  test('an entry that is broken says where where that is known', () => {
    const said = { code: 'entry.dirMissing', message: 'workspaces.json: [1].work_dir: /a does not exist' };
    const details = { path: '/a', place: 'workspaces.json: [1].work_dir' };
    expect(serverSentence({ ...said, details })).toBe('workspaces.json: [1].work_dir：目录 /a 不存在。');
    expect(serverSentence({ ...said, details: { path: '/a' } })).toBe('目录 /a 不存在。');
  });

  test('what an answer has to be needs no English', () => {
    const field = (details: object) =>
      serverSentence({ code: 'ask.field', message: 'No.', details: { question: 'Q', ...details } });
    expect(field({ kind: 'integer', least: 1, most: 5 })).toBe('“Q”的回答须是 1 到 5 的整数。');
    expect(field({ kind: 'number', least: -0.5 })).toBe('“Q”的回答须是不小于 -0.5 的数。');
    expect(field({ kind: 'count', most: 2 })).toBe('“Q”最多选 2 项。');
    expect(field({ kind: 'number' })).toBe('“Q”的回答须是数。');
    expect(field({ kind: 'choice', options: 'a, b' })).toBe('“Q”的回答须是其中之一：a, b。');
    const kinds = ['one', 'boolean', 'email', 'uri', 'date', 'date-time'];
    expect(new Set(kinds.map((kind) => field({ kind }))).size).toBe(kinds.length);
    expect(field({ kind: 'unheard-of' })).toBe('“Q”的回答不合要求。');
  });

  test('how Codex has ended, and a server of it that says nothing, need no English', () => {
    const ended = (details: object) =>
      serverSentence({ code: 'codex.ended', message: 'Codex has ended.', details: { ...details } });
    expect(ended({ exitCode: 0 })).toMatch(/^Codex 已退出（退出码 0）。/);
    expect(ended({ signal: 'SIGKILL' })).toMatch(/^Codex 已被信号 SIGKILL 终止。/);
    expect(ended({ reason: 'spawn EACCES' })).toMatch(/^Codex 无法运行（spawn EACCES）。/);
    expect(serverSentence({ code: 'codex.mcp', message: 'No.', details: { name: 'm' } })).toBe(
      'Codex 无法启动 MCP 服务器 m，它没有说明原因。',
    );
  });

  test('an unknown code, and a detail that is missing, leave the server’s sentence', () => {
    expect(serverSentence({ code: 'moon.full', message: 'The moon is full.' })).toBe('The moon is full.');
    expect(serverSentence({ code: 'constructor', message: 'No.' })).toBe('No.');
    expect(serverSentence({ code: 'login.throttled', message: 'Too many tries.' })).toBe('Too many tries.');
  });

  test('the help, line by line', () => {
    const message = '/help           list the commands\n/title [TEXT]   show it\n/new  something  new';
    expect(serverSentence({ code: 'command.help', message })).toBe(
      '/help           列出命令\n/title [TEXT]   查看或设置会话标题\n/new  something  new',
    );
  });
});

test('the status in Chinese has a line for each fact that is known', async () => {
  await speak('zh', ['zh-CN']);
  const details = { model: 'gpt-5.5 · high', sandbox: 'workspace-write', approval: 'never', network: 'off' };
  const said = { code: 'command.status', message: 'Model  gpt-5.5 · high' };
  expect(serverSentence({ ...said, details })).toBe(
    '模型：gpt-5.5 · high\n权限：沙箱 workspace-write，审批 never，网络 off',
  );
  expect(
    serverSentence({ ...said, details: { ...details, cost: '0.10 USD', turnCost: '0.02 USD' } }),
  ).toContain('\n费用：0.10 USD，最近一轮 0.02 USD');
  expect(serverSentence({ ...said, details: { ...details, program: 'Codex' } })).toMatch(
    /^智能体：Codex\n模型/,
  );
  expect(serverSentence(said)).toBe(said.message);
});

const sources = import.meta.glob<string>(['../../../server/src/**/*.ts', '!**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Said where no page listens: on the command line before the server is up, to the model, and to other programs. */
const NEVER_IN_A_PAGE =
  /^(client|fork|grants|list|listen|password|program|state|patch|thread)\.|^(flags|session\.alone|exec\.(workdir|output|prompt|session|schema|cwd|image)|image\.file|input\.(empty|image)|socket\.frame|agent\.(limit|message|none|unknown)|turn\.(none|other|schema|writable-roots))$/;

test('each code of the server has a Chinese sentence (add it to server.zh.ts)', () => {
  const said =
    /(?:(?:new Failure|\bnotice)\(\s*'\w+',\s*|\b(?:new EntryProblem|fault)\(\s*|code: )'([\w-]+\.[\w.-]+)'/g;
  const codes = Object.values(sources).flatMap((source) =>
    [...source.matchAll(said)].map(([, code]) => code ?? ''),
  );
  expect(codes.length).toBeGreaterThan(60);
  const silent = codes.filter((code) => !(code in serverSentencesZh) && !NEVER_IN_A_PAGE.test(code));
  expect(silent).toEqual([]);
});
