/** For tests: real commands in a directory of their own, not confined unless a bubblewrap is given. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { CommandCeiling } from './command-ceiling.ts';
import { commandEnvironment, MARKER_VARIABLE } from './environment.ts';
import { allProcesses } from './process-list.ts';
import { ProcessManager } from './process-manager.ts';
import type { CommandStart, RunningProcess } from './running-process.ts';
import { Sandbox } from './sandbox/sandbox.ts';
import { sweep } from './sweep.ts';

let scenes = 0;

export class CommandStage {
  readonly marker = `stage-${process.pid}-${++scenes}`;
  readonly processes: ProcessManager;
  env: Record<string, string> = commandEnvironment(process.env);

  private constructor(
    readonly cwd: string,
    sandbox: Sandbox,
    ceiling: CommandCeiling,
  ) {
    const onBackground = () => undefined;
    this.processes = new ProcessManager({ marker: this.marker, sandbox, ceiling, onBackground });
  }

  static async open(ceiling = new CommandCeiling(), bwrap = '/missing/bwrap'): Promise<CommandStage> {
    const cwd = mkdtempSync(join(tmpdir(), 'tscodex-stage-'));
    const sandbox = await Sandbox.open({ bwrap, dir: join(cwd, '.sandbox') });
    return new CommandStage(cwd, sandbox, ceiling);
  }

  run(command: string, options: Partial<CommandStart> = {}): RunningProcess {
    return this.processes.start({
      ...{ command, argv: ['bash', '-c', command], cwd: this.cwd, env: this.env, tty: false },
      ...{
        confinement: null,
        asOwnerOf: this.cwd,
        turnId: 'turn',
        itemId: 'item',
        onOutput: () => undefined,
      },
      ...options,
    });
  }

  async until(running: RunningProcess, text: string): Promise<void> {
    await this.eventually(() => expect(running.output()).toContain(text));
  }

  eventually(check: () => void): Promise<void> {
    return vi.waitFor(check, { timeout: 60_000, interval: 20 });
  }

  /** The command lines of all that runs of this stage, wherever it has gone. */
  living(): string[] {
    const entry = `${MARKER_VARIABLE}=${this.marker}`;
    return allProcesses()
      .filter(({ pid, state }) => state !== 'Z' && words(pid, 'environ').includes(entry))
      .map(({ pid }) => words(pid, 'cmdline').join(' ').trim());
  }

  async close(): Promise<void> {
    await this.processes.stopAll();
    await sweep(this.marker);
    rmSync(this.cwd, { recursive: true });
  }
}

function words(pid: number, file: 'cmdline' | 'environ'): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
  } catch {
    return []; // it has ended meanwhile
  }
}
