/**
 * What a request costs before it is sent, in a long conversation: it is built anew for each step, of which one item
 * is new. Beside it, the same body put into JSON, which nobody who sends it is spared.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { median } from './statistics.mjs';

export const ITEMS = 5000;
const STEPS = 41;

/** Milliseconds a step. `floorMs`: of putting its body into JSON. */
export async function measureRequest() {
  const { requestFor, requestBody, WireItems, modelFacts } = await serverCode();
  const history = Array.from({ length: ITEMS }, (_, i) => itemOf(i));
  const context = {
    ...{ sessionId: '0197f7a0-0000-7000-8000-000000000000', settings: { model: 'gpt-5.5' } },
    ...{ facts: modelFacts('gpt-5.5'), instructions: 'x'.repeat(8000), tools: [] },
  };
  const items = new WireItems();
  const build = () => requestBody(requestFor(context, history), items);
  JSON.stringify(build()); // what is new once is new to the first request
  const ms = timedSteps(() => {
    history.push(itemOf(history.length));
    return build();
  });
  const body = build();
  return { ms, floorMs: timedSteps(() => JSON.stringify(body)) };
}

function timedSteps(step) {
  const runs = Array.from({ length: STEPS }, () => {
    const began = performance.now();
    step();
    return performance.now() - began;
  });
  return median(runs);
}

/** As conversations are: mostly calls and what came of them, now and then words, seldom a picture. */
function itemOf(i) {
  const text = `${i} ${'some words of output\n'.repeat(40)}`;
  const message = (role, ...content) => ({ type: 'message', role, content });
  if (i % 1000 === 999)
    return message('user', { type: 'input_image', image_url: `data:image/png;base64,${'A'.repeat(40_000)}` });
  if (i % 10 === 0) return message('user', { type: 'input_text', text: `step ${i}` });
  if (i % 10 === 9) return { ...message('assistant', { type: 'output_text', text }), id: `msg_${i}` };
  if (i % 2 === 0) return { type: 'function_call_output', call_id: `c${i - 1}`, output: text };
  const args = JSON.stringify({ cmd: `sed -n ${i}p file`, workdir: '/srv/project' });
  return { type: 'function_call', id: `fc_${i}`, call_id: `c${i}`, name: 'exec_command', arguments: args };
}

/** The server's own, out of its sources: what is built for users has no such doors. */
async function serverCode() {
  const server = new URL('../../server/', import.meta.url);
  const { build } = createRequire(new URL('package.json', server))('esbuild');
  const parts = {
    ...{ requestFor: 'agent/model-response', requestBody: 'model/responses-body' },
    ...{ WireItems: 'model/wire-items', modelFacts: 'model/catalog' },
  };
  const { outputFiles } = await build({
    stdin: {
      contents: Object.entries(parts)
        .map(([name, file]) => `export { ${name} } from './${file}.ts';`)
        .join('\n'),
      resolveDir: fileURLToPath(new URL('src/', server)),
    },
    ...{ bundle: true, write: false, format: 'esm', platform: 'node', loader: { '.md': 'text' } },
  });
  const [{ text }] = outputFiles;
  return import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
}
