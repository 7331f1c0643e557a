/** For tests of the command tools: a session's tools with real processes, and a person who answers. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Approval, NoRule } from '@tscodex/shared/asks';
import type { BackgroundCommand, EventBody } from '@tscodex/shared/events';
import type { CommandExecution } from '@tscodex/shared/items';
import type { Grants } from '@tscodex/shared/permissions';
import { applyEvent, emptySession } from '@tscodex/shared/session-state';
import { expect, vi } from 'vitest';
import type { Policy } from '../approvals/decide.ts';
import type { Judgement } from '../approvals/judgement.ts';
import { CommandCeiling } from '../exec/command-ceiling.ts';
import { commandEnvironment } from '../exec/environment.ts';
import { ProcessManager } from '../exec/process-manager.ts';
import type { Confinement } from '../exec/sandbox/confinement.ts';
import { Sandbox } from '../exec/sandbox/sandbox.ts';
import { execCommand } from './exec-command.ts';
import type { NeverPlaces } from './grants.ts';
import type { ApprovalDecision, Tool, ToolContext } from './tool.ts';
import { writeStdin } from './write-stdin.ts';

export class CommandScene {
  readonly cwd = realpathSync(mkdtempSync(join(tmpdir(), 'tscodex-tool-')));
  readonly events: EventBody[] = [];
  readonly asked: Approval[] = [];
  /** What "for this session" would have covered, ask by ask. */
  readonly grants: (readonly string[])[] = [];
  readonly stop = new AbortController();
  answer: () => Promise<ApprovalDecision> = async () => ({ allowed: true, scope: 'once' });
  policy: Omit<Policy, 'granted'> = {
    ...{ approval: 'on-request', sandbox: 'workspace-write', confined: false, unattended: false },
  };
  granted: string[] = [];
  noRule: NoRule | null = null;
  judgement: Judgement = { rule: null, knownSafe: false, risk: null, proposal: null, direct: null };
  confinement: (grants: Grants) => Confinement | null = () => null;
  everWritable: readonly string[] = [this.cwd];
  never: NeverPlaces = { places: [], except: [], files: [] };
  allowed: Grants = {};
  begin: () => Promise<void> = async () => undefined;
  background: BackgroundCommand[] = [];
  env = commandEnvironment({ ...process.env, HOME: this.cwd });
  /** Set while a call waits for one. */
  steer: (() => void) | undefined;
  steerWaiting = false;
  readonly processes = new ProcessManager({
    marker: `scene-${process.pid}`,
    ceiling: new CommandCeiling(),
    sandbox: new Sandbox({ bwrap: '/missing/bwrap', dir: join(this.cwd, 'sandbox') }),
    onBackground: (commands) => {
      this.background = commands;
    },
  });

  async close(): Promise<void> {
    await this.processes.stopAll();
    rmSync(this.cwd, { recursive: true });
  }

  exec(args: Record<string, unknown>) {
    return this.#call(execCommand, args);
  }

  type(args: Record<string, unknown>) {
    return this.#call(writeStdin, args);
  }

  /** Starts a command that goes on, and returns its session id once it has printed `output`. */
  async running(cmd: string, output: string, more: Record<string, unknown> = {}): Promise<number> {
    const result = await this.exec({ cmd, yield_time_ms: 250, ...more });
    await this.eventually(() => expect(this.shown().output).toBe(output));
    return Number(/session ID (\d+)/.exec(result.output)?.[1]);
  }

  /** The command's item as a viewer has it. */
  shown(): CommandExecution {
    const start = emptySession({ id: 's', workspaceId: 'w', cwd: this.cwd, createdAt: '' });
    const state = this.events.reduce(
      (folded, event, i) => applyEvent(folded, { ...event, seq: i + 1 }),
      start,
    );
    return state.items.find(({ id }) => id === 'item') as CommandExecution;
  }

  eventually(check: () => void): Promise<void> {
    return vi.waitFor(check, { timeout: 15_000, interval: 20 });
  }

  async #call(tool: Tool, args: Record<string, unknown>): Promise<{ output: string; success: boolean }> {
    const { output, success } = await tool.call(JSON.stringify(args), this.#context());
    return { output: output as string, success };
  }

  #context(): ToolContext {
    return {
      sessionId: 'session',
      turnId: 'turn',
      callId: 'call',
      itemId: 'item',
      cwd: this.cwd,
      signal: this.stop.signal,
      policy: { ...this.policy, granted: (key) => this.granted.includes(key) },
      rules: { judge: async () => this.judgement, noRule: async () => this.noRule },
      holding: {
        confinement: (grants) => this.confinement(grants),
        outside: () => [],
        hiding: () => () => false,
        everWritable: this.everWritable,
        never: this.never,
      },
      allowed: () => this.allowed,
      allowedBy: (key) => (this.granted.includes(key) ? { how: 'session', by: 'Ada' } : null),
      ask: {
        approve: (approval, grants) => {
          this.asked.push(approval);
          this.grants.push(grants);
          return this.answer();
        },
        question: async () => ({}),
        form: async () => ({ refuse: 'decline' }),
      },
      processes: this.processes,
      environment: async () => this.env,
      images: { keep: () => Promise.reject(new Error('no command keeps an image')) },
      agents: null,
      conversation: () => [],
      emit: (event) => this.events.push(event),
      setClock: () => Promise.reject(new Error('no command sets the clock')),
      begin: () => this.begin(),
      steerWaiting: () => this.steerWaiting,
      onSteer: (listener) => {
        this.steer = listener;
        return () => undefined;
      },
    };
  }
}
