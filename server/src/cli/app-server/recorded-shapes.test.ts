/**
 * What the app-server says has the keys and the types that Codex 0.171.0 was recorded with: `fixtures/recorded-shapes`
 * has, of each message and result, every path with its types; `?` marks what is not always there.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModelEvent } from '../../model/client.ts';
import { calls, callsCustom, says } from '../../model/scripted-model.ts';
import { type AppClient, type Fields, openPlace } from './app-client.test-support.ts';
import recorded from './fixtures/recorded-shapes.json' with { type: 'json' };

let place: Awaited<ReturnType<typeof openPlace>>;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.remove());

const shapes: Record<string, Record<string, string>> = recorded;

/** What Codex's schema allows and no recording has: by the end of a path. */
const BY_SCHEMA: readonly (readonly [RegExp, string])[] = [
  [/fileChange\/requestApproval reason$/, 'string'],
  [/requestUserInput .*options$/, 'null'],
  [/\.(name|forkedFromId)$/, 'null'],
  [/\.(name|forkedFromId)$/, 'string'],
  [/readState$|readStates$|backwardsCursor$|BackwardsCursor$/, 'null'],
  [/model\/list.*multiAgentVersion$/, 'null'],
];

/** What it lets be left out: there is no rule to offer for each command. */
const OPTIONAL = /requestApproval proposedExecpolicyAmendment$/;

/** What is below these paths is as free as arguments are, has other keys in each form, or is checked as news of a turn. */
const FREE = /(^|\.)(arguments|readStates|sandbox|turns)$/;

test('every kind of message, and every result, has the recorded keys and types', async () => {
  const patch = (body: string) => callsCustom('apply_patch', `*** Begin Patch\n${body}\n*** End Patch`);
  const thinks = function* (): Generator<ModelEvent> {
    yield { type: 'reasoning', itemId: 'rs_1', part: 'summary', delta: 'I th', newPart: true };
    yield { type: 'reasoning', itemId: 'rs_1', part: 'summary', delta: 'ink' };
    const summary = [{ type: 'summary_text' as const, text: 'I think' }];
    yield { type: 'item', item: { type: 'reasoning', id: 'rs_1', summary } };
    yield* says('Done.')(...([] as unknown as Parameters<ReturnType<typeof says>>)) as Iterable<ModelEvent>;
  };
  const plan = { explanation: 'why', plan: [{ step: 'Look', status: 'completed' }] };
  const questions = [{ id: 'q', header: 'Q', question: 'Which?', options: [] }];
  const client = await place.client(
    says('', calls('exec_command', { cmd: 'echo one' }), calls('update_plan', plan)),
    says('', patch('*** Add File: a.txt\n+one'), calls('request_user_input', { questions })),
    says('', patch('*** Update File: a.txt\n@@\n-one\n+two')),
    thinks,
    says('A summary of all of it.'),
    function* () {
      yield { type: 'retrying', attempt: 1, max: 2, delayMs: 1, httpStatus: 500, message: 'it broke' };
      throw new Error('a fault');
    },
  );
  answering(client);
  const { thread } = await client.call('thread/start', {
    sandbox: 'danger-full-access',
    approvalPolicy: 'untrusted',
  });
  const { id: threadId } = thread as { id: string };
  await client.turn(threadId, 'all of it');
  await client.call('thread/compact/start', { threadId });
  await client.until(
    ({ params }) => ((params.item ?? {}) as Fields).type === 'contextCompaction' && 'completedAtMs' in params,
  );
  await client.until(
    ({ method, params }) => method === 'turn/completed' && ((params.turn as Fields).items as []).length === 0,
  );
  await client.turn(threadId, 'and fail');
  await client.call('thread/name/set', { threadId, name: 'A name' });
  await client.call('thread/read', { threadId, includeTurns: true });
  await client.call('thread/fork', { threadId });
  await client.call('thread/list');
  await client.call('thread/loaded/list');
  await client.call('model/list');
  await client.call('account/read');
  await client.call('getAuthStatus');
  await client.call('thread/archive', { threadId });
  await client.call('thread/unarchive', { threadId });
  await client.call('thread/resume', { threadId });
  await client.call('thread/unsubscribe', { threadId });

  const faults = new Set<string>();
  const seen = new Set<string>();
  const check = (kind: string, value: unknown) => {
    const shape = shapes[kind];
    seen.add(kind);
    if (!shape) return; // recorded nowhere
    for (const fault of compared(kind, shape, pathsOf(value))) faults.add(fault);
  };
  for (const { method, params } of client.told) {
    const { type } = (params.item ?? {}) as Fields;
    check(type ? `${method} ${type}` : method, params);
  }
  for (const [method, result] of client.results) check(`result of ${method}`, result);
  expect([...faults]).toEqual([]);

  const unsaid = Object.keys(shapes).filter((kind) => !seen.has(kind));
  expect(unsaid).toEqual([
    // tools of others are not there yet in this session, reviews are Codex's own
    ...[
      'item/completed dynamicToolCall',
      'item/completed enteredReviewMode',
      'item/completed exitedReviewMode',
    ],
    ...['item/completed mcpToolCall', 'item/permissions/requestApproval', 'item/started dynamicToolCall'],
    ...['item/started enteredReviewMode', 'item/started exitedReviewMode', 'item/started mcpToolCall'],
    ...['result of turn/interrupt', 'result of turn/steer', 'warning'],
  ]);
});

function answering(client: AppClient): void {
  client.answers.set('item/commandExecution/requestApproval', () => ({ decision: 'accept' }));
  client.answers.set('item/fileChange/requestApproval', () => ({ decision: 'accept' }));
  client.answers.set('item/tool/requestUserInput', () => ({ answers: { q: { answers: ['x'] } } }));
}

function compared(kind: string, shape: Record<string, string>, paths: Map<string, Set<string>>): string[] {
  const always = Object.keys(shape).filter((path) => !path.endsWith('?') && !path.includes('[]'));
  const parentIs = (path: string) => {
    const parent = path.slice(0, Math.max(path.lastIndexOf('.'), 0));
    return parent === '' || (paths.get(parent)?.has('object') === true && !FREE.test(parent));
  };
  const missing = always.filter(
    (path) => !paths.has(path) && parentIs(path) && !OPTIONAL.test(`${kind} ${path}`),
  );
  const wrong = [...paths].flatMap(([path, types]) => {
    const known = shape[path] ?? shape[`${path}?`];
    return [...types].flatMap((type) => {
      if (known?.split('|').includes(type)) return [];
      const allowed = BY_SCHEMA.some(([end, also]) => also === type && end.test(`${kind} ${path}`));
      return allowed ? [] : [`${kind}: ${path} is ${type}, recorded as ${known ?? 'nothing'}`];
    });
  });
  return [...missing.map((path) => `${kind}: ${path} is missing`), ...wrong];
}

function pathsOf(value: unknown, at = '', found = new Map<string, Set<string>>()): Map<string, Set<string>> {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (at) found.set(at, (found.get(at) ?? new Set()).add(type));
  if (FREE.test(at)) return found;
  if (Array.isArray(value)) for (const one of value) pathsOf(one, `${at}[]`, found);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) pathsOf(inner, at ? `${at}.${key}` : key, found);
  return found;
}
