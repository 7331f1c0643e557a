import { expect, test } from 'vitest';
import { developerText, type ResponseItem, userText } from '../../base/response-items.ts';
import { framed } from './compacted-history.ts';
import { unansweredPart } from './unanswered.ts';

const answer: ResponseItem = {
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Done.' }],
};
const output: ResponseItem = { type: 'function_call_output', call_id: 'c', output: 'ok' };
const permissions = developerText('<permissions instructions>\nall\n</permissions instructions>');
const [one, two] = [userText('one'), userText('two')];

test.each<[string, ResponseItem[], ResponseItem[]]>([
  ['what follows on the last answer', [userText('before'), answer, one, two], [one, two]],
  ['what follows on the outputs of calls', [answer, output, one], [one]],
  ['what follows on a summary', [userText('before'), userText(framed('So far.')), one], [one]],
  ['all, where nothing was answered', [permissions, one], [one]],
  ['no surroundings, which are told anew', [answer, one, permissions, two], [one, two]],
  ['nothing after an answer', [one, answer], []],
])('unanswered is %s', (_what, history, unanswered) => {
  expect(unansweredPart(history, 1000)).toEqual(unanswered);
});

test('where there is no room the oldest of it is left out, and never the newest message', () => {
  const long = userText('word '.repeat(1000));
  const aside = userText('<turn_aborted>\nstopped\n</turn_aborted>');
  expect(unansweredPart([answer, long, one], 1000)).toEqual([one]);
  expect(unansweredPart([answer, one, long, aside], 1000)).toEqual([long, aside]);
});
