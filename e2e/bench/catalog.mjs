/** What ten thousand sessions in $CODEX_HOME cost: at the start, while they are read, and when they are asked for. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, residentMb, stop } from './processes.mjs';
import { Product } from './product.mjs';
import { median, medians } from './statistics.mjs';

export const FILES = 10_000;
const EXCHANGES = 4;
const STARTS = 5;
const ASKED = 11;

/** A word that is everywhere, one that is in one session, two that are somewhere together, a pair of characters. */
const QUERIES = ['server', 'needle', 'deploy migration', '部署'];

const WORDS =
  'the server was asked to build a page that shows every session with its title and deploy docker compose migration error handling for files in directory because of tests which failed under load'.split(
    ' ',
  );
const CHINESE = [
  '服务器',
  '部署',
  '数据库',
  '迁移',
  '失败',
  '因为',
  '测试',
  '超时',
  '修改',
  '配置文件',
  '会话',
];

/** `start`: milliseconds to the first answer, `floor` of a server without any session. */
export async function measureCatalog(model) {
  const [product, floor] = [await Product.start(model.url), await Product.start(model.url)];
  try {
    await writeSessions(join(product.dir, 'codex'));
    const starts = [];
    for (let n = 0; n < STARTS; n++) {
      await Promise.all([stop(product.child), stop(floor.child)]);
      // each time as for the first time
      await rm(join(product.dir, 'codex/tscodex/catalog.sqlite'), { force: true });
      starts.push({ floor: await floor.launch(), product: await product.launch() });
    }
    const before = cpuSeconds(product.pid);
    const began = performance.now();
    while ((await get(product, 'api/catalog?limit=1')).indexing !== null) await sleep(250);
    const read = { seconds: (performance.now() - began) / 1000, cpu: cpuSeconds(product.pid) - before };
    return {
      ...{ start: medians(starts), read, residentMb: residentMb(product.pid) },
      listMs: await timed(() => get(product, 'api/catalog')),
      searchMs: await slowest(QUERIES, (q) => get(product, `api/search?q=${encodeURIComponent(q)}`)),
    };
  } finally {
    await Promise.all([product.stop(), floor.stop()]);
  }
}

/** Of the slowest question. */
async function slowest(questions, ask) {
  let worst = 0;
  for (const question of questions) worst = Math.max(worst, await timed(() => ask(question)));
  return worst;
}

async function timed(ask) {
  const runs = [];
  for (let n = 0; n < ASKED; n++) {
    const began = performance.now();
    await ask();
    runs.push(performance.now() - began);
  }
  return median(runs);
}

async function get(product, path) {
  const response = await fetch(`http://127.0.0.1:${product.port}/${path}`, { headers: product.headers() });
  if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function writeSessions(codexHome) {
  const folders = new Set();
  for (let n = 0; n < FILES; n++) {
    const at = new Date(Date.UTC(2026, 0, 1) + n * 40 * 60_000).toISOString();
    const id = `01970000-0000-7000-8000-${String(n).padStart(12, '0')}`;
    const day = at.slice(0, 10).replaceAll('-', '/');
    const path = join(
      codexHome,
      'sessions',
      day,
      `rollout-${at.slice(0, 19).replaceAll(':', '-')}-${id}.jsonl`,
    );
    if (!folders.has(day)) await mkdir(dirname(path), { recursive: true });
    folders.add(day);
    await writeFile(
      path,
      linesOf(id, at, n)
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
  }
}

function linesOf(id, at, n) {
  const meta = {
    id,
    timestamp: at,
    cwd: `/srv/${n % 50}`,
    originator: 'codex_cli_rs',
    cli_version: '0.171.0',
  };
  const lines = [{ timestamp: at, type: 'session_meta', payload: meta }];
  for (let exchange = 0; exchange < EXCHANGES; exchange++) {
    const output = { type: 'function_call_output', call_id: 'call', output: text(n + exchange, 2000) };
    lines.push(
      message(at, 'user', 'input_text', text(n * 7 + exchange, 150)),
      { timestamp: at, type: 'response_item', payload: output },
      message(at, 'assistant', 'output_text', text(n * 13 + exchange, 400)),
    );
  }
  if (n === FILES / 2) lines.push(message(at, 'user', 'input_text', 'a needle in all of this'));
  return lines;
}

function message(timestamp, role, type, said) {
  return {
    timestamp,
    type: 'response_item',
    payload: { type: 'message', role, content: [{ type, text: said }] },
  };
}

/** The same for the same seed. */
function text(seed, length) {
  let state = seed + 1;
  let said = '';
  while (said.length < length) {
    state = (state * 48_271) % 2_147_483_647;
    said +=
      state % 5 === 0 ? CHINESE[(state >> 5) % CHINESE.length] : `${WORDS[(state >> 5) % WORDS.length]} `;
  }
  return said;
}
