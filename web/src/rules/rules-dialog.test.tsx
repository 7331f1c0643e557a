// @vitest-environment happy-dom
import type { Rule, RuleList } from '@tscodex/shared/permissions';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiProblem } from '../api/http.ts';
import { button, click, mount, query } from '../conversation/testing.ts';
import { type Services, ServicesContext } from '../state/services.ts';
import { RulesDialog } from './rules-dialog.tsx';

const list: RuleList = {
  dir: '~/.codex/rules',
  rules: [
    { id: 'a/1', pattern: ['npm', 'run', 'a b'], decision: 'allow', file: 'default.rules', line: 1 },
    {
      id: 'b',
      pattern: ['git', ['push', 'fetch']],
      decision: 'forbidden',
      justification: 'Ask Mei.',
      file: 'team.rules',
      line: 1_200,
    },
  ],
  problems: [{ file: 'team.rules', line: 3, message: 'no pattern' }],
};
const json = vi.fn<(method: string, path: string) => Promise<unknown>>();
let unmount: () => void = () => undefined;
afterEach(() => unmount());

/** What the server answers, one after the other: a list, or why there is none. */
async function show(first: RuleList | Error) {
  json.mockReset();
  if (first instanceof Error) json.mockRejectedValueOnce(first);
  else json.mockResolvedValueOnce(first);
  const services = { api: { json } } as unknown as Services;
  await act(async () => {
    unmount = mount(
      <ServicesContext value={services}>
        <RulesDialog onClose={() => undefined} />
      </ServicesContext>,
    ).unmount;
  });
}
const dialog = () => query('dialog')?.textContent ?? '';
const rules = () => [...document.querySelectorAll('ul[aria-label="Rules"] > li')];

test('each rule says its words, what it decides, why, and where it is written', async () => {
  await show(list);
  expect(rules().map((one) => one.textContent)).toEqual([
    `npm run 'a b'runs without askingdefault.rules, line 1Revoke`,
    'git (push|fetch)never runsAsk Mei.team.rules, line 1200Revoke',
  ]);
  expect(dialog()).toContain('Could not be read, and allows nothingteam.rules, line 3 no pattern');
});

test('a rule that allows git says what Codex does not look at', async () => {
  const [first] = list.rules as [Rule];
  const word = (pattern: Rule['pattern']) => ({ ...first, id: pattern.join(), pattern });
  await show({ ...list, rules: [word(['git', 'status']), word([['hg', '/usr/bin/git'], 'log']), first] });
  expect(rules().map((one) => one.textContent?.includes('Sessions on Codex'))).toEqual([true, true, false]);
});

test('a rule that was made here says by whom, and one without a name that it was', async () => {
  const [first, second] = list.rules as [Rule, Rule];
  const at = new Date().toISOString();
  await show({
    ...list,
    rules: [
      { ...first, made: { by: 'Ada', at } },
      { ...second, made: { by: null, at } },
    ],
  });
  expect(rules().map((one) => one.querySelector('small')?.textContent)).toEqual([
    'default.rules, line 1 · made by Ada, now',
    'team.rules, line 1200 · made here, now',
  ]);
});

test('without any it says how one comes to be', async () => {
  await show({ ...list, rules: [], problems: [] });
  expect(dialog()).toContain('No rules yet');
  expect(dialog()).toContain('~/.codex/rules');
});

/** Chooses one and says yes; happy-dom's dialog has no way of its own to close with an answer. */
async function revoke(name: string) {
  await click(button(name));
  const confirm = [...document.querySelectorAll('dialog')].at(-1) as HTMLDialogElement;
  expect(confirm.textContent).toContain('It is taken out of');
  await act(async () => [...confirm.querySelectorAll('button')].at(-1)?.click());
}

test('a rule is revoked once that was confirmed, and the list is read again', async () => {
  await show(list);
  json.mockResolvedValueOnce(undefined).mockResolvedValueOnce({ ...list, rules: list.rules.slice(1) });
  await revoke(`Revoke: npm run 'a b'`);
  await vi.waitFor(() => expect(rules()).toHaveLength(1));
  expect(json.mock.calls.map(([method, path]) => `${method} ${path}`)).toEqual([
    'GET api/rules',
    'DELETE api/rules/a%2F1',
    'GET api/rules',
  ]);
});

test('one that somebody was quicker with is told, and gone', async () => {
  await show(list);
  json.mockRejectedValueOnce(new ApiProblem('rules.unknown', 'There is no such rule.', 404));
  json.mockResolvedValueOnce({ ...list, rules: [] });
  await revoke(`Revoke: npm run 'a b'`);
  await vi.waitFor(() =>
    expect(query('[role="alert"]')?.textContent).toBe('Not revoked. There is no such rule.'),
  );
  expect(dialog()).toContain('No rules yet');
});

test('a list that could not be read is no empty one', async () => {
  await show(new Error('No answer.'));
  expect(query('[role="alert"]')?.textContent).toBe('The rules could not be read. No answer.');
  expect(dialog()).not.toContain('No rules yet');
});
