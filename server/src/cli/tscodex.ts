#!/usr/bin/env node
/** The agent without a browser. */
import { runExec } from './exec/run-exec.ts';
import { programVersion } from './find-up.ts';
import { flushed } from './flushed.ts';
import { type Signal, Signals } from './signals.ts';

const HELP = `tscodex: the agent without a browser

  tscodex exec PROMPT     one turn; tscodex exec --help tells more
  tscodex app-server      for programs that speak to Codex's app-server
  tscodex --version

The server of workspaces is tscodex-ws.
`;

const [command, ...args] = process.argv.slice(2);
const stopped = new AbortController();
const signals = new Signals(process);
let received: Signal | undefined;
void signals.first.then((signal) => {
  received = signal;
  stopped.abort();
});
void signals.second.then(() => process.exit(1));
// who reads along has gone: nobody waits for the rest
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => stopped.abort());

const code = await run();
await flushed([process.stdout, process.stderr], stopped.signal);
// as Codex: Ctrl+C ends a run with 1, the others are what has ended it
if (command === 'exec' && code !== 0 && received !== undefined && received !== 'SIGINT') {
  signals.stop();
  process.kill(process.pid, received);
}
// connections that are kept for a next request would hold the end up
process.exit(code);

async function run(): Promise<number> {
  if (command === 'exec') {
    const { env, stdin, stdout, stderr } = process;
    return await runExec(args, { env, cwd: process.cwd, stdin, stdout, stderr, stopped: stopped.signal });
  }
  if (command === 'app-server') {
    const { runAppServer } = await import('./app-server/run-app-server.ts');
    const { env, stdin, stdout, stderr } = process;
    return await runAppServer(args, {
      env,
      cwd: process.cwd,
      stdin,
      stdout,
      stderr,
      stopped: stopped.signal,
    });
  }
  if (command === '--version') process.stdout.write(`${programVersion()}\n`);
  else if (command === '--help' || command === '-h') process.stdout.write(HELP);
  else {
    process.stderr.write(command === undefined ? HELP : `tscodex: "${command}" is no command; see --help\n`);
    return 2;
  }
  return 0;
}
