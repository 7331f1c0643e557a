/** The things the demo model can do with tools: each says something, calls a tool, and says what came of it. */
import { randomUUID } from 'node:crypto';
import page from '@tscodex/prompts/demo/board.md';
import type { ToolCallItem } from '../base/response-items.ts';
import type { Scene } from './demo-scene.ts';
import { fill, type Texts } from './demo-texts.ts';

export type Act = {
  before(texts: Texts): string;
  call(scene: Scene, texts: Texts): ToolCallItem;
  after(output: string, texts: Texts): string;
};

export const listFiles: Act = {
  before: (texts) => texts.say('files'),
  call: (_, texts) => functionCall('exec_command', { cmd: 'ls -la', justification: texts.say('files-why') }),
  after(output, texts) {
    if (!/^Process exited with code 0$/m.test(output)) return notDone(output, texts);
    const entries = output
      .split('\n')
      .filter((line) => /^[-dl][rwxsStT-]{9}/.test(line) && !/ \.{1,2}$/.test(line));
    if (entries.length === 0) return texts.say('files-none');
    const folders = entries.filter((line) => line.startsWith('d')).length;
    const names = entries.map((line) => `\`${line.split(/\s+/).slice(8).join(' ')}\``);
    return texts.say('files-done', {
      folders: String(folders),
      files: String(entries.length - folders),
      names: names.slice(0, 8).join(', ') + (names.length > 8 ? ', …' : ''),
    });
  },
};

export const askColour: Act = {
  before: (texts) => texts.say('question'),
  call: (_, texts) =>
    functionCall('request_user_input', {
      questions: [
        {
          id: 'colour',
          header: texts.say('question-header'),
          question: texts.say('question-text'),
          options: texts.lines('question-options').map((line) => {
            const [label, description] = line.split(' | ');
            return { label, description };
          }),
        },
      ],
    }),
  after(output, texts) {
    const answer = /"answers":\[("(?:[^"\\]|\\.)*")/.exec(output)?.[1];
    return answer ? texts.say('question-done', { answer: JSON.parse(answer) }) : texts.say('question-open');
  },
};

export const writeBoard: Act = {
  before: (texts) => texts.say('board'),
  call: ({ board, answer }, texts) => ({
    type: 'custom_tool_call',
    call_id: newCallId(),
    name: 'apply_patch',
    input: boardPatch(board ?? { path: 'board.html', exists: false }, boardPage(answer, texts)),
  }),
  after: (output, texts) => (output.includes('Success.') ? texts.say('board-done') : notDone(output, texts)),
};

/** Shows the steps of `name`, the first `done` of them completed. `before` is the text that goes with it. */
export function showPlan(name: string, done: number, before: Act['before'] = () => ''): Act {
  return {
    before,
    call: (_, texts) =>
      functionCall('update_plan', {
        plan: texts.lines(name).map((step, i) => ({ step, status: statusOf(i, done) })),
      }),
    after: () => '',
  };
}

function statusOf(step: number, done: number): string {
  if (step < done) return 'completed';
  return step === done ? 'in_progress' : 'pending';
}

function notDone(output: string, texts: Texts): string {
  const [reason = ''] = output.split('\n').filter((line) => line.trim() !== '');
  return texts.say('not-done', { reason });
}

function functionCall(name: string, args: unknown): ToolCallItem {
  return { type: 'function_call', call_id: newCallId(), name, arguments: JSON.stringify(args) };
}

const newCallId = () => `call_${randomUUID()}`;

function boardPatch({ path, exists }: { path: string; exists: boolean }, html: string): string {
  const added = html
    .trimEnd()
    .split('\n')
    .map((line) => `+${line}`);
  const head = exists ? [`*** Delete File: ${path}`] : [];
  return ['*** Begin Patch', ...head, `*** Add File: ${path}`, ...added, '*** End Patch', ''].join('\n');
}

const ACCENTS = ['#2563eb', '#15803d', '#c2410c'];

/** An answer in own words gets a colour of its own. */
const OTHER_ACCENT = '#7c3aed';

function boardPage(answer: string | undefined, texts: Texts): string {
  const labels = texts.lines('question-options').map((line) => line.split(' | ')[0]);
  const chosen = answer ?? labels[0] ?? '';
  const escaped = chosen.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`).replace(/\s+/g, ' ');
  return fill(page, {
    language: texts.language,
    title: texts.say('board-title'),
    intro: texts.say('board-intro'),
    button: texts.say('board-button'),
    colour: texts.say('board-colour'),
    accent: ACCENTS[labels.indexOf(chosen)] ?? OTHER_ACCENT,
    answer: escaped,
  });
}
