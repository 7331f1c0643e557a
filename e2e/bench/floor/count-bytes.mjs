/** Runs a command through a pipe as simply as Node can, and tells how long it took and how much came. */
import { spawn } from 'node:child_process';

const start = performance.now();
let bytes = 0;
const child = spawn('bash', ['-c', process.argv[2]], { stdio: ['ignore', 'pipe', 'inherit'] });
child.stdout.on('data', (chunk) => {
  bytes += chunk.length;
});
child.once('close', () => process.send?.({ bytes, ms: performance.now() - start }));
