import { emptySession } from '@tscodex/shared/session-state';
import { expect, test } from 'vitest';
import { statusReport } from './status-report.ts';

const about = { id: 's', workspaceId: 'w', cwd: '/srv/lab', createdAt: '2026-01-01T00:00:00.000Z' };
const turn = {
  inputTokens: 22_000,
  cachedInputTokens: 5000,
  outputTokens: 10,
  reasoningTokens: 4,
  totalTokens: 22_010,
};
const total = { ...turn, inputTokens: 63_000, totalTokens: 63_010 };
const state = emptySession({ ...about, model: 'gpt-5.5', effort: 'high' });

test('before a model has told anything: how the session is set up', () => {
  expect(statusReport(state)).toEqual({
    text: [
      'Model        gpt-5.5 · high',
      'Permissions  sandbox workspace-write, approvals on-request, network off',
    ].join('\n'),
    details: { model: 'gpt-5.5 · high', sandbox: 'workspace-write', approval: 'on-request', network: 'off' },
  });
  expect(statusReport({ ...state, model: null, effort: null }).text).toMatch(/^Model {8}none\n/);
});

test('all that is known, a line each', () => {
  const usage = {
    ...{ last: turn, turn, total, cost: { currency: 'USD', turn: 0.0221, total: 1.5 } },
    ...{ contextTokens: 22_010, contextEstimated: true, contextWindow: 100_000, contextLeft: 89 },
  };
  const { text, details } = statusReport({ ...state, usage });
  expect(text.split('\n').slice(2)).toEqual([
    'Context      about 78 % left: 22010 of 100000 tokens used',
    'Latest turn  22000 tokens in, 5000 of them cached; 10 out, 4 of them reasoning',
    'Session      63000 tokens in, 5000 of them cached; 10 out, 4 of them reasoning',
    'Cost         1.50 USD, latest turn 0.0221',
  ]);
  expect(details).toMatchObject({
    contextLeft: 78,
    sessionInput: 63_000,
    cost: '1.50 USD',
    turnCost: '0.0221 USD',
  });
});

test('what costs next to nothing is not said to cost nothing', () => {
  const usage = { last: turn, turn, total, cost: { currency: 'USD', turn: 0.00004, total: 0.00004 } };
  expect(statusReport({ ...state, usage }).text).toContain('Cost         <0.0001 USD, latest turn <0.0001');
});

test('neither a window nor a price: nothing is said of what is left, and which price is missing', () => {
  const { text, details } = statusReport({
    ...state,
    usage: { last: turn, turn, total, unpriced: ['house', ''] },
  });
  expect(text).not.toContain('Context');
  expect(text).toContain('Cost         no price for house, a model that was not recorded');
  expect(details).not.toHaveProperty('cost');
  expect(details).not.toHaveProperty('contextLeft');
});

test('a session on Codex says so, and which way', () => {
  const { text, details } = statusReport({ ...state, backend: 'codex-exec' });
  expect(text).toMatch(/^Agent {8}codex exec\nModel /);
  expect(details).toMatchObject({ program: 'codex exec' });
  expect(statusReport({ ...state, backend: 'codex' }).text).toMatch(/^Agent {8}Codex\n/);
});
