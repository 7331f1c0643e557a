/**
 * The model both sides are measured with: the Responses API on loopback, at a steady pace. The newest user message
 * that holds a directive chooses the answer:
 *   [[times deltas=1000 rate=200]]    deltas that carry nothing but the time they were sent, in microseconds
 *   [[document kib=200 rate=300]]     markdown, 24 characters a delta
 *   [[blocks count=2000 rate=1000]]   paragraphs and fences, a hundred a delta, the last one `Block 2000.`
 *   [[words deltas=200 rate=40]]      a paragraph, one word a delta, the last one `word200.`
 *   [[run times=100 tty=1]] COMMAND   a call of `exec_command`, so many times one after another, then a word
 * Tells its parent its port, of each request when it had come and its size, and of each answer when it had sent all of
 * it.
 */
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { epochMs } from '../clock.mjs';
import { markdownDocument } from './markdown.mjs';

const DELTA_LENGTH = 24;

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  process.send?.({ askedAt: epochMs(), bytes: body.length });
  const asked = JSON.parse(body.toString());
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const call = callOf(asked);
  if (call) finish(response, call, 1);
  else {
    const { deltas, rate } = planOf(asked);
    await answer(response, deltas, rate);
  }
  process.send?.({ sentAt: epochMs() });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));

async function answer(response, deltas, rate) {
  const send = sender(response);
  send('response.created', { response: { id: 'resp_1', status: 'in_progress' } });
  // Codex shows no words of a message that it was not told of
  const empty = { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] };
  send('response.output_item.added', { output_index: 0, item: empty });
  let text = '';
  const start = performance.now();
  for (let n = 0; n < deltas.length; n++) {
    const wait = start + (n * 1000) / rate - performance.now();
    if (wait > 0) await sleep(wait);
    const delta = deltas[n]();
    text += delta;
    send('response.output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta });
  }
  const content = [{ type: 'output_text', text, annotations: [] }];
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
  finish(response, item, deltas.length);
}

function finish(response, item, tokens) {
  const send = sender(response);
  send('response.output_item.done', { output_index: 0, item });
  const usage = { input_tokens: 1000, output_tokens: tokens, total_tokens: 1000 + tokens };
  send('response.completed', { response: { id: 'resp_1', status: 'completed', output: [item], usage } });
  response.end();
}

function sender(response) {
  return (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
}

/** The next call that the newest directive wants; undefined once it has them all. */
function callOf({ input }) {
  const at = input.findLastIndex((item) => item.role === 'user' && textOf(item).startsWith('[['));
  const [, times, tty, cmd] = /^\[\[run times=(\d+) tty=([01])\]\] (.*)$/.exec(textOf(input[at])) ?? [];
  const done = input.slice(at).filter((item) => item.type === 'function_call_output').length;
  if (cmd === undefined || done >= Number(times)) return undefined;
  const args = { cmd, tty: tty === '1', yield_time_ms: 30_000 };
  const id = `call_${at}_${done}`;
  return { type: 'function_call', id, call_id: id, name: 'exec_command', arguments: JSON.stringify(args) };
}

/** @returns {{deltas: (() => string)[], rate: number}} each delta is made when it is sent */
function planOf({ input }) {
  const texts = input.filter((item) => item.role === 'user').map(textOf);
  const directive = texts.findLast((text) => text.includes('[[')) ?? '';
  const number = (name) => Number(new RegExp(`${name}=(\\d+)`).exec(directive)?.[1] ?? 1);
  const rate = number('rate');
  if (directive.startsWith('[[times'))
    return { rate, deltas: Array.from({ length: number('deltas') }, () => timestamp) };
  if (directive.startsWith('[[words'))
    return { rate, deltas: Array.from({ length: number('deltas') }, (_, n) => () => `word${n + 1}. `) };
  if (directive.startsWith('[[run')) return { rate, deltas: [() => 'Done.'] };
  if (directive.startsWith('[[blocks')) return { rate, deltas: hundreds(number('count')) };
  const pieces = markdownDocument(number('kib') * 1024).match(new RegExp(`[^]{1,${DELTA_LENGTH}}`, 'g'));
  return { rate, deltas: pieces.map((piece) => () => piece) };
}

function textOf({ content }) {
  return typeof content === 'string' ? content : content.map((part) => part.text).join('');
}

function hundreds(count) {
  const blocks = Array.from({ length: count }, (_, n) => block(n + 1));
  return Array.from(
    { length: Math.ceil(count / 100) },
    (_, n) => () => blocks.slice(n * 100, n * 100 + 100).join(''),
  );
}

function block(n) {
  return n % 4 === 1
    ? `\`\`\`ts\nconst value${n} = ${n};\n\`\`\`\n\n`
    : `Some **words** and \`code\`. Block ${n}.\n\n`;
}

function timestamp() {
  return `<${Math.round(epochMs() * 1000)}> `;
}
