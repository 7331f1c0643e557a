// `npm test`: install, build, lint, types, layers, unit tests, browser tests, those with the real Codex; ends with the
// sum of them all.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from './chromium.mjs';
import { interop } from './interop.mjs';
import { pnpm, setup } from './pnpm.mjs';
import { systemPrograms } from './system-programs.mjs';

const results = mkdtempSync(join(tmpdir(), 'tscodex-test-'));
const total = { passed: 0, failed: 0 };

/** Adds a run to the total. A run that failed without a failed test of its own (a crash) counts as one. */
function add(name, exitCode, counts) {
  const failed = exitCode && !counts.failed ? 1 : counts.failed;
  if (failed) console.error(`${name}: failed`);
  total.passed += counts.passed;
  total.failed += failed;
}

/** Reads a reporter's JSON; a run that died before writing it has no counts. */
function counts(file, read) {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    console.error(`no test results: ${error.message}`);
    return { passed: 0, failed: 1 };
  }
}

function unit() {
  const file = join(results, 'unit.json');
  const code = pnpm(
    ...['exec', 'vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
  );
  add(
    'unit tests',
    code,
    counts(file, (r) => ({ passed: r.numPassedTests, failed: r.numFailedTests })),
  );
}

function browser() {
  const path = chromium();
  if (!path) {
    console.error(
      'browser tests: no Chromium here and no way to get one; run: sudo apt-get install -y chromium',
    );
    total.failed += 1;
    return;
  }
  if (path !== 'playwright') process.env.CHROMIUM_PATH = path;
  playwright('browser tests', (reporter) =>
    pnpm('--filter', '@tscodex/e2e', 'exec', 'playwright', 'test', `--reporter=${reporter}`),
  );
}

/** `run` gets the reporter; null: what is tested cannot be had here, and that counts for nothing. */
function playwright(name, run) {
  const file = join(results, 'playwright.json');
  rmSync(file, { force: true });
  process.env.PLAYWRIGHT_JSON_OUTPUT_NAME = file;
  const code = run('list,json');
  if (code === null) {
    console.log(`${name}: left out, see above`);
    return;
  }
  add(
    name,
    code,
    counts(file, ({ stats }) => {
      if (stats.flaky)
        console.error(`${name}: ${stats.flaky} passed only when tried again (listed above): mend them`);
      return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
    }),
  );
}

if (setup()) {
  console.error('npm test: install or build failed, see above');
  total.failed += 1;
} else {
  add('check', pnpm('run', 'check'), { passed: 0, failed: 0 });
  systemPrograms();
  unit();
  browser();
  playwright('interoperability with Codex', interop);
}
rmSync(results, { recursive: true, force: true });
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed ? 1 : 0);
