/** `exec` runs of two programs on one model: `codex exec`, and `tscodex exec`, which takes the same words. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export const UNATTENDED = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n';

const server = createRequire(import.meta.url).resolve('tscodex/dist/tscodex-ws.js');
export const TSCODEX = [process.execPath, join(dirname(server), 'tscodex.js')];

/**
 * What it printed. Both work on the same configuration, in `dir`, with `settings` added. `resume`: the session to go on
 * with. `started` is called with the process. Throws where it does not end well.
 */
export async function execRun(
  [program, ...words],
  dir,
  modelUrl,
  prompt,
  { resume = [], settings = '', started = () => undefined } = {},
) {
  const [home, work] = [join(dir, 'codex'), join(dir, 'work')];
  await Promise.all([mkdir(home, { recursive: true }), mkdir(work, { recursive: true })]);
  const provider = `[model_providers.bench]\nname = "bench"\nbase_url = "${modelUrl}"\nwire_api = "responses"\n`;
  await writeFile(
    join(home, 'config.toml'),
    `${UNATTENDED}${settings}model = "bench"\nmodel_provider = "bench"\n${provider}`,
  );
  const flags = ['--skip-git-repo-check', '--json'];
  const child = spawn(program, [...words, 'exec', ...resume, ...flags, prompt], {
    cwd: work,
    env: { PATH: process.env.PATH, HOME: dir, CODEX_HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started(child);
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0 || !printed.includes('"turn.completed"'))
    throw new Error(`${program} exec ended with ${code} after ${printed.length} characters`);
  return printed;
}
