// `npm start [-- FLAGS]`: install, build, serve. The server keeps this process's terminal and signals.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setup } from './pnpm.mjs';

const failed = setup();
if (failed) process.exit(failed);

const server = fileURLToPath(new URL('../server/dist/tscodex-ws.js', import.meta.url));
const child = spawn(process.execPath, [server, ...process.argv.slice(2)], { stdio: 'inherit' });
// a terminal signals the whole group; a `kill` of this process must reach the server as well
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
