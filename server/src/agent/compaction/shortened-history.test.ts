import { expect, test } from 'vitest';
import { developerText, type ResponseItem, textOf, userText } from '../../base/response-items.ts';
import { tokensOf } from './context-size.ts';
import { shortened } from './shortened-history.ts';

const LONG = `begin ${'x'.repeat(8000)} end`;

function round(n: number): ResponseItem[] {
  return n % 2
    ? [
        {
          type: 'function_call',
          call_id: `c${n}`,
          name: 'exec_command',
          arguments: JSON.stringify({ cmd: LONG }),
        },
        { type: 'function_call_output', call_id: `c${n}`, output: LONG },
      ]
    : [
        { type: 'custom_tool_call', call_id: `c${n}`, name: 'apply_patch', input: LONG },
        { type: 'custom_tool_call_output', call_id: `c${n}`, output: [{ type: 'input_text', text: LONG }] },
      ];
}

const history: ResponseItem[] = [
  developerText('<permissions instructions>\nall\n</permissions instructions>'),
  userText(`first ${LONG}`),
  ...Array.from({ length: 40 }, (_, n) => round(n)).flat(),
  userText('last'),
];

/** As providers check it. */
function expectPaired(items: readonly ResponseItem[]): void {
  const called: string[] = [];
  for (const item of items) {
    if (item.type === 'function_call') JSON.parse(item.arguments);
    if (item.type === 'function_call' || item.type === 'custom_tool_call') called.push(item.call_id);
    if ('output' in item) expect(called.pop()).toBe(item.call_id);
  }
  expect(called).toEqual([]);
}

test('what fits is not touched', () => {
  const { items, cut } = shortened(history, tokensOf(history));
  expect(items).toBe(history);
  expect(cut).toBe(0);
});

test('as few of the oldest calls as will do are shortened', () => {
  const { items, cut } = shortened(history, tokensOf(history) - 3000);
  expect(items).toHaveLength(history.length);
  expect(items.map((item, at) => (item === history[at] ? null : at)).filter((at) => at !== null)).toEqual([
    2, 3,
  ]);
  expect(cut).toBe(2);
  expectPaired(items);
});

test('the oldest reasoning goes before any word does, and what is touched twice counts once', () => {
  const reasoned = Array.from({ length: 5 }, (_, n): ResponseItem[] => [
    userText(`ask ${n} ${'x'.repeat(2000)}`),
    { type: 'reasoning', id: `rs_${n}`, summary: [], encrypted_content: 'A'.repeat(30_000) },
  ]).flat();
  const { items, cut } = shortened(reasoned, tokensOf(reasoned) - 8000);
  expect(cut).toBe(2);
  expect(items).toEqual(reasoned.filter((_, at) => at !== 1 && at !== 3));
  const fewest = shortened(reasoned, 100);
  expect(fewest.cut).toBeLessThanOrEqual(reasoned.length);
});

test('at every size calls keep their outputs, and it fits', () => {
  for (let target = tokensOf(history); target > 0; target -= 1777) {
    const { items } = shortened(history, target);
    expect(tokensOf(items)).toBeLessThanOrEqual(target);
    expectPaired(items);
  }
});

test('messages are shortened when the calls are, and what is oldest goes last of all', () => {
  const { items } = shortened(history, 9000);
  const first = items[1];
  expect(first?.type === 'message' && textOf(first)).toMatch(
    /^first begin [\s\S]+tokens left out[\s\S]+ end$/,
  );
  const { items: fewest } = shortened(history, 300);
  expect(fewest.length).toBeLessThan(6);
  expect(fewest.at(-1)).toEqual(userText('last'));
  // the surroundings are told anew anyway
  expect(fewest).not.toContain(history[0]);
});
