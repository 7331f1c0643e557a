/** What the demo model answers: a topic out of the words of the prompt, and the next step of that topic. */
import type { ToolCallItem } from '../base/response-items.ts';
import { type Act, askColour, listFiles, showPlan, writeBoard } from './demo-acts.ts';
import type { Scene } from './demo-scene.ts';
import { type Texts, textsFor } from './demo-texts.ts';

export type DemoAnswer = { text: string; call: ToolCallItem | null };

type Topic = {
  words: RegExp;
  acts(scene: Scene, texts: Texts): Act[];
  end(scene: Scene, texts: Texts): string;
};

/** Looked through in this order. */
const TOPICS: readonly Topic[] = [
  {
    words: /\b(tour|demo)\b|演示|导览/i,
    acts: ({ board }) => [
      showPlan('tour-steps', 0, (texts) => texts.say('tour')),
      listFiles,
      askColour,
      showPlan('tour-steps', 2),
      ...(board ? [writeBoard] : []),
      showPlan('tour-steps', 4),
    ],
    end: (_, texts) => `${texts.say('formula')}\n\n${texts.say('tour-end')}`,
  },
  { words: /\b(files?|ls)\b|文件/i, acts: () => [listFiles], end: () => '' },
  {
    words: /\bboard\b|看板/i,
    acts: ({ board }) => (board ? [writeBoard] : []),
    end: ({ board }, texts) => (board ? '' : texts.say('board-none')),
  },
  { words: /\b(question|ask)\b|提问|问题/i, acts: () => [askColour], end: () => '' },
  {
    words: /\b(plan|formula|math)\b|计划|公式/i,
    acts: () => [showPlan('plan-steps', 2, (texts) => texts.say('plan')), showPlan('plan-steps', 3)],
    end: (_, texts) => texts.say('formula'),
  },
  {
    words: /\blong\b|长文/i,
    acts: (_, texts) => texts.lines('long-steps').map((step, i) => chapter(step, i)),
    end: (_, texts) => texts.say('long-end'),
  },
];

/** Whatever else was written. */
const GREETING: Topic = {
  words: /^/,
  acts: () => [],
  end: ({ prompt }, texts) => texts.say('greeting', { prompt: quoted(prompt) }),
};

/** Between chapters a plan is shown, so that a steer finds its place there. */
function chapter(step: string, index: number): Act {
  return showPlan('long-steps', index + 1, (texts) => texts.say('long', { step }));
}

/** The next response of the turn. Each makes one call at the most, so results count the steps done. */
export function nextAnswer(scene: Scene): DemoAnswer {
  const texts = textsFor(scene.prompt);
  const topic = TOPICS.find(({ words }) => words.test(scene.prompt)) ?? GREETING;
  const acts = topic.acts(scene, texts);
  const step = scene.results.length;
  const next = acts[step];
  const steers = scene.steers.map((steer) => texts.say('steer', { steer: quoted(steer) }));
  const done = acts[step - 1]?.after(scene.results[step - 1] ?? '', texts) ?? '';
  const parts = scene.again ? steers : [...steers, done, next ? next.before(texts) : topic.end(scene, texts)];
  return {
    text: parts.filter((part) => part !== '').join('\n\n'),
    call: next?.call(scene, texts) ?? null,
  };
}

/** The beginning of what a person wrote, on one line. */
function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
