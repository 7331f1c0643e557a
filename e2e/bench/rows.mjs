/** The rows of the table, with the budgets the project sets itself. */
import { LONG, SHORT } from './append.mjs';
import { FILES } from './catalog.mjs';
import { FLOOD_MB, TERMINALS } from './commands.mjs';
import { CROWD, DELTAS, RATE } from './delivery.mjs';
import { CROWDS } from './fan-out.mjs';
import { FILE_MB, ITEMS as OPENED } from './long-sessions.mjs';
import { KIB, LONG_TASK_MS, RATE as PAGE_RATE } from './page.mjs';
import { ITEMS } from './request.mjs';
import { STEPS } from './tool-loop.mjs';

/** @returns {import('./table.mjs').Row[]} */
export function rowsOf({
  start,
  idle,
  delivery,
  fanOut,
  append,
  catalog,
  commands,
  confined,
  toolLoop,
  exec,
  resume,
  codexLatency,
  opening,
  request,
  page,
  idlePage,
  opencode,
}) {
  const served = (what, unit, key, budget) =>
    both(delivery, `delta at ${RATE}/s: ${what}`, unit, key, budget);
  const loaded = (what, unit, key, budget) => both(page, `first load: ${what}`, unit, key, budget);
  const streamed = (what, unit, key, budget) =>
    both(page, `${KIB} KiB at ${PAGE_RATE}/s: ${what}`, unit, key, budget);
  return [
    served('model to viewer, p50', 'ms', 'p50', 'x 1.5'),
    served('model to viewer, p99', 'ms', 'p99'),
    served(`bytes for ${DELTAS}`, 'kB', 'kilobytes', '< 200'),
    served(`server CPU for ${DELTAS}`, 's', 'cpu', 'x 1.5'),
    served(`the same, ${CROWD} viewers`, 's', 'crowdCpu', 'x 1.5'),
    ...CROWDS.flatMap(({ viewers, deltas, rate }) => [
      both(
        fanOut,
        `${viewers} viewers: server CPU for ${deltas} at ${rate}/s`,
        's',
        `cpu${viewers}`,
        'x 1.5',
      ),
      both(fanOut, `${viewers} viewers: memory for each`, 'kB', `memory${viewers}`, '< 200'),
    ]),
    {
      what: 'start to first answer',
      unit: 'ms',
      product: start.product,
      floor: start.floor,
      opencode: opencode?.start,
      budget: 'x 3',
    },
    {
      what: 'idle: memory',
      unit: 'MB',
      product: idle.residentMb,
      opencode: opencode?.residentMb,
      budget: '< 120',
    },
    {
      what: 'idle: CPU in 10 s',
      unit: 's',
      product: idle.cpu,
      opencode: opencode?.cpu,
      budget: '< 0.05',
    },
    { what: 'idle: bytes to a socket in 10 s', product: idle.bytes, budget: '< 100' },
    {
      what: `${FILES} sessions that were never read: start to first answer, beside none`,
      unit: 'ms',
      product: catalog.start.product,
      floor: catalog.start.floor,
      budget: 'x 1.1',
    },
    { what: 'the same: all of them read', unit: 's', product: catalog.read.seconds },
    { what: 'the same: CPU of that', unit: 's', product: catalog.read.cpu },
    { what: 'the same: memory after it', unit: 'MB', product: catalog.residentMb },
    { what: 'the same: the list of them', unit: 'ms', product: catalog.listMs, budget: '< 50' },
    { what: 'the same: a search', unit: 'ms', product: catalog.searchMs, budget: '< 150' },
    {
      what: `${FLOOD_MB} MB from a command, beside counting them`,
      unit: 'ms',
      product: commands.flood.ms,
      floor: commands.flood.floorMs,
      budget: 'x 1.3',
    },
    { what: `the same: memory at its peak`, unit: 'MB', product: commands.flood.grownMb, budget: '< 40' },
    {
      what: `descriptors more after ${TERMINALS} terminals`,
      product: commands.terminals.descriptors,
      budget: '< 0',
    },
    { what: 'the same: children more', product: commands.terminals.children, budget: '< 0' },
    {
      what: 'a confined command that does nothing, beside bubblewrap alone',
      unit: 'ms',
      product: confined.ms,
      floor: confined.floorMs,
      budget: 'x 1.5',
    },
    {
      what: 'the same, beside codex sandbox',
      unit: 'ms',
      product: confined.ms,
      floor: confined.codexMs,
      budget: 'x 0.5',
    },
    {
      what: 'tscodex exec hello, start to end, beside codex exec',
      unit: 'ms',
      product: exec.ms,
      floor: exec.floorMs,
      budget: 'x 1',
    },
    ...(codexLatency
      ? [
          both(
            codexLatency,
            `a session on codex, delta at ${RATE}/s: model to viewer, p50`,
            'ms',
            'p50',
            'x 1.5',
          ),
        ]
      : []),
    {
      what: `one of ${STEPS} steps of the agent, beside one of codex exec`,
      unit: 'ms',
      product: toolLoop.ms,
      floor: toolLoop.floorMs,
      budget: 'x 0.5',
    },
    {
      what: `exec resume of ${FILE_MB} MB to its first request, beside that of codex`,
      unit: 'ms',
      product: resume.whole.ms,
      floor: resume.whole.floorMs,
      budget: 'x 1',
    },
    {
      what: 'the same: memory more at its peak, times what the model sees',
      product: resume.whole.grown,
      floor: resume.whole.floorGrown,
      budget: '< 3',
    },
    {
      what: 'the same after a compaction near the end',
      unit: 'ms',
      product: resume.compacted.ms,
      floor: resume.compacted.floorMs,
      budget: 'x 1',
    },
    { what: 'the same: memory more at its peak', unit: 'MB', product: resume.compacted.grownMb },
    {
      what: `opening ${OPENED.long} items in the page, beside ${OPENED.short}`,
      unit: 'ms',
      product: opening.ms,
      floor: opening.floorMs,
      budget: 'x 1.3',
    },
    { what: 'the same: elements of the document', product: opening.elements, budget: '< 3000' },
    {
      what: `building a request of ${ITEMS} items, beside putting it into JSON`,
      unit: 'ms',
      product: request.ms,
      floor: request.floorMs,
      budget: 'x 0.1',
    },
    loaded('composer usable', 'ms', 'usableMs', '< 600'),
    { ...loaded('script, gzip', 'kB', 'scriptKb', '< 170'), opencode: opencode?.scriptKb },
    { ...loaded('requests', '', 'requests'), opencode: opencode?.requests },
    streamed('behind at the end', 'ms', 'lagMs', '< 100'),
    streamed('script', 's', 'scriptSeconds', 'x 3'),
    streamed('all main-thread work', 's', 'taskSeconds'),
    streamed(`tasks over ${LONG_TASK_MS} ms`, '', 'longTasks', '< 0'),
    streamed('longest of them', 'ms', 'longestTaskMs'),
    streamed('key to letter, p50', 'ms', 'keyP50', 'x 1.5'),
    streamed('key to letter, p95', 'ms', 'keyP95'),
    both(append, `after ${LONG} blocks: layouts for a delta`, '', 'layouts'),
    both(append, `after ${LONG} blocks: changes of the DOM for a delta`, '', 'writes'),
    both(append, `layouts after ${LONG} blocks, times those after ${SHORT}`, '', 'growth', '< 1.2'),
    { what: 'idle page in 30 s: requests', product: idlePage.requests, budget: '< 0' },
    { what: 'idle page in 30 s: messages, of the heartbeat', product: idlePage.messages, budget: '< 9' },
  ];
}

function both({ product, floor }, what, unit, key, budget) {
  return { what, unit, product: product[key], floor: floor[key], budget };
}
