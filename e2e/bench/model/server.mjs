/**
 * The model both sides are measured with: the Responses API on loopback, at a steady pace. The newest user message
 * that holds a directive chooses the answer:
 *   [[times deltas=1000 rate=200]]    deltas that carry nothing but the time they were sent, in microseconds
 *   [[document kib=200 rate=300]]     markdown, 24 characters a delta
 *   [[blocks count=2000 rate=1000]]   paragraphs and fences, a hundred a delta, the last one `Block 2000.`
 *   [[words deltas=200 rate=40]]      a paragraph, one word a delta, the last one `word200.`
 * Tells its parent its port, and of each answer when it had sent all of it.
 */
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { epochMs } from '../clock.mjs';
import { markdownDocument } from './markdown.mjs';

const DELTA_LENGTH = 24;

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { deltas, rate } = planOf(JSON.parse(Buffer.concat(chunks).toString()));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  await answer(response, deltas, rate);
  process.send?.({ sentAt: epochMs() });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));

async function answer(response, deltas, rate) {
  const send = (type, data) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send('response.created', { response: { id: 'resp_1', status: 'in_progress' } });
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
  send('response.output_item.done', { output_index: 0, item });
  const usage = { input_tokens: 1000, output_tokens: deltas.length, total_tokens: 1000 + deltas.length };
  send('response.completed', { response: { id: 'resp_1', status: 'completed', output: [item], usage } });
  response.end();
}

/** @returns {{deltas: (() => string)[], rate: number}} each delta is made when it is sent */
function planOf({ input }) {
  const texts = input
    .filter((item) => item.role === 'user')
    .map(({ content }) =>
      typeof content === 'string' ? content : content.map((part) => part.text).join(''),
    );
  const directive = texts.findLast((text) => text.includes('[[')) ?? '';
  const number = (name) => Number(new RegExp(`${name}=(\\d+)`).exec(directive)?.[1] ?? 1);
  const rate = number('rate');
  if (directive.startsWith('[[times'))
    return { rate, deltas: Array.from({ length: number('deltas') }, () => timestamp) };
  if (directive.startsWith('[[words'))
    return { rate, deltas: Array.from({ length: number('deltas') }, (_, n) => () => `word${n + 1}. `) };
  if (directive.startsWith('[[blocks')) return { rate, deltas: hundreds(number('count')) };
  const pieces = markdownDocument(number('kib') * 1024).match(new RegExp(`[^]{1,${DELTA_LENGTH}}`, 'g'));
  return { rate, deltas: pieces.map((piece) => () => piece) };
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
