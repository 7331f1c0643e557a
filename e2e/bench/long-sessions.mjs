/** What a long conversation costs: going on with it from its file, and opening it in the page. */
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { epochMs } from './clock.mjs';
import { writeCodexRollout } from './codex-rollout.mjs';
import { execRun, TSCODEX } from './exec-run.mjs';
import { openPage } from './page.mjs';
import { peakMb } from './processes.mjs';
import { Product } from './product.mjs';
import { medians } from './statistics.mjs';

const ROUNDS = 5;
const LOOK_MS = 5;

/** The model takes all of it. */
const SETTINGS = 'model_context_window = 1000000000\nmodel_auto_compact_token_limit = 1000000000\n';
const ASKED = '[[words deltas=1 rate=1000]] hello';

export const FILE_MB = 100;
const CONVERSATION = { turns: 250, outputBytes: 40_000 };
/** Of two kinds: the model sees a fifth of the file, or what came after a compaction near its end. */
const FILES = {
  whole: { number: 1, ...CONVERSATION },
  compacted: { number: 2, ...CONVERSATION, compactedAfter: 240 },
};

/**
 * Of each kind: milliseconds from the start of `exec resume` to the whole of the first request, ours and in turn
 * (`floor`) those of `codex`, the path of its program or null; the megabytes that our memory at its peak is above that
 * of a run without such a session; and how often what the model sees fits into these (`grown`).
 */
export async function measureResume(model, codex) {
  const dir = await mkdtemp(join(tmpdir(), 'bench-resume-'));
  try {
    const ours = await sideOf(join(dir, 'product'), TSCODEX, model);
    const theirs = codex && (await sideOf(join(dir, 'codex'), [codex], model));
    const measured = {};
    for (const kind of Object.keys(FILES)) {
      const runs = [];
      for (let round = 0; round < ROUNDS; round++) {
        const { ms, grownMb, grown } = await ours.resume(kind);
        const floor = theirs && (await theirs.resume(kind));
        runs.push({ ms, grownMb, grown, ...(floor && { floorMs: floor.ms, floorGrown: floor.grown }) });
      }
      measured[kind] = medians(runs);
    }
    return measured;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** A program with a home of its own that holds the long sessions, and has seen each of them once. */
async function sideOf(dir, program, model) {
  const cwd = join(dir, 'work');
  mkdirSync(cwd, { recursive: true });
  const run = (id) => timedRun(program, dir, model, id);
  const empty = await run();
  const sessions = {};
  for (const [kind, file] of Object.entries(FILES)) {
    sessions[kind] = writeCodexRollout(join(dir, 'codex'), { ...file, cwd });
    await run(sessions[kind]);
  }
  return {
    async resume(kind) {
      const { ms, bytes, peak } = await run(sessions[kind]);
      const grownMb = peak - empty.peak;
      return { ms, grownMb, grown: (grownMb * 2 ** 20) / bytes };
    },
  };
}

async function timedRun(program, dir, model, id) {
  const asked = model.asked();
  let peak = 0;
  const started = ({ pid }) => {
    const look = setInterval(() => {
      try {
        peak = Math.max(peak, peakMb(pid));
      } catch {
        clearInterval(look); // it has ended
      }
    }, LOOK_MS);
  };
  const start = epochMs();
  await execRun(program, dir, model.url, ASKED, {
    ...{ settings: SETTINGS, started },
    resume: id === undefined ? [] : ['resume', id],
  });
  const { askedAt, bytes } = await asked;
  return { ms: askedAt - start, bytes, peak };
}

/** The server finds the file in its own time. */
async function resumed(product, id) {
  for (let tries = 0; ; tries++) {
    try {
      return await product.post('api/workspaces/bench/sessions', { resume: id });
    } catch (error) {
      if (tries === 100 || !error.message.includes('session.unknown')) throw error;
      await sleep(100);
    }
  }
}

/** Items of the conversations that are opened in the page: ten a turn. */
export const ITEMS = { short: 100, long: 10_000 };
const OPENINGS = 7;

/**
 * Opens a session in a page that has nothing in its cache, the long one and the short one (`floorMs`) in turn: the
 * milliseconds until its last item is painted and a letter can be typed, and the elements of the document.
 */
export async function measureOpening(browser, model) {
  const product = await Product.start(model.url);
  try {
    const place = { cwd: join(product.dir, 'work'), outputBytes: 400 };
    const [short, long] = [ITEMS.short, ITEMS.long].map((items, number) =>
      writeCodexRollout(join(product.dir, 'codex'), { ...place, number, turns: items / 10 }),
    );
    for (const id of [short, long]) await resumed(product, id);
    const runs = [];
    for (let round = 0; round < OPENINGS; round++) {
      const floor = await opened(browser, product, short, ITEMS.short);
      runs.push({ ...(await opened(browser, product, long, ITEMS.long)), floorMs: floor.ms });
    }
    return medians(runs);
  } finally {
    await product.stop();
  }
}

async function opened(browser, product, session, items) {
  product.session = session;
  const page = await openPage(browser, product);
  const start = performance.now();
  await page.goto(product.pageUrl, { waitUntil: 'commit' });
  await page.waitForFunction(painted, `Part ${items / 10 - 1} is mended`, { polling: 'raf' });
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('ready');
  const ms = performance.now() - start;
  const elements = await page.evaluate(() => document.querySelectorAll('*').length);
  await page.context().close();
  return { ms, elements };
}

/** Runs in the page, before each frame: whether the words were there before the last one. */
function painted(words) {
  const before = window.wereThere;
  window.wereThere = document.querySelector('[role=log]')?.textContent.includes(words);
  return before;
}
