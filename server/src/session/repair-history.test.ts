import { expect, test } from 'vitest';
import {
  outputFor,
  type ResponseItem,
  type ToolCallItem,
  unansweredCalls,
  userText,
} from '../base/response-items.ts';
import { repairHistory } from './repair-history.ts';

const call = (id: string): ToolCallItem => ({
  type: 'function_call',
  call_id: id,
  name: 'f',
  arguments: '{}',
});
const output = (id: string, text = 'ok') => outputFor(call(id), text);
const thought: ResponseItem = { type: 'reasoning', summary: [] };
const hello = userText('hello');

const repaired = (...history: ResponseItem[]) => repairHistory(history, 'lost');

test('what is whole stays as it is', () => {
  const history = [hello, thought, call('a'), call('b'), output('b'), output('a'), hello];
  expect(repaired(...history)).toEqual(history);
});

test('an output without a call, before its call, or a second one is left out', () => {
  expect(repaired(hello, output('x'), call('a'), output('a'), output('a', 'again'), hello)).toEqual([
    hello,
    call('a'),
    output('a'),
    hello,
  ]);
  expect(repaired(output('a'), call('a'), hello)).toEqual([call('a'), output('a', 'lost'), hello]);
});

test('a call without an output gets one where it stands', () => {
  expect(repaired(hello, call('a'), call('b'), output('b'), hello)).toEqual([
    hello,
    call('a'),
    output('a', 'lost'),
    call('b'),
    output('b'),
    hello,
  ]);
});

test('the calls of the last answer stay open: a turn may go on with them', () => {
  const answer = [call('b'), thought, call('c'), output('b')];
  expect(repaired(hello, call('a'), hello, ...answer)).toEqual([
    hello,
    call('a'),
    output('a', 'lost'),
    hello,
    ...answer,
  ]);
});

test('an id that is used twice has two outputs', () => {
  const history = [call('a'), output('a'), hello, call('a'), output('a', 'second'), hello];
  expect(repaired(...history)).toEqual(history);
});

test('of an id that is used twice the call that no output follows is the open one', () => {
  const second = call('a');
  expect(unansweredCalls([call('a'), output('a'), hello, second])).toEqual([second]);
  expect(unansweredCalls([call('a'), output('a'), hello, second, output('a')])).toEqual([]);
  expect(unansweredCalls([output('a'), second])).toEqual([second]);
});
