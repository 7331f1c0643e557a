#!/usr/bin/env node
import { run } from './run.ts';

process.exit(
  await run(process.argv.slice(2), {
    platform: process.platform,
    env: process.env,
    cwd: () => process.cwd(),
    stdout: process.stdout,
    stderr: process.stderr,
    signals: process,
  }),
);
