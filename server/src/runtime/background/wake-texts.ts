/** How a wake reads: for the model as a message in tags, for people as a quiet notice. Pure. */
import clockTick from '@tscodex/prompts/clock-tick.md';
import commandEnded from '@tscodex/prompts/exec-command-completed.md';
import agentEnded from '@tscodex/prompts/subagent-ended.md';
import type { Notice } from '@tscodex/shared/items';
import type { MessageItem } from '../../base/response-items.ts';
import type { Exit } from '../../exec/channel.ts';
import type { BackgroundEnd } from '../../exec/running-process.ts';
import { agentTag, toldStanding } from '../../tools/agents.ts';
import { notice } from '../notice.ts';
import type { AgentEnd } from '../sub-agents/agent-end.ts';

export type Wake =
  | { kind: 'command'; end: BackgroundEnd }
  | { kind: 'agent'; end: AgentEnd }
  /** `at`: when it rang. */
  | { kind: 'clock'; periodMinutes: number; at: Date };

/** Characters of a command line that are told. */
const COMMAND_SHOWN = 300;
/** Ends that are told of one by one; of more, the first ones are only counted. */
const MOST_TOLD = 20;

/** One message for all of them, with what to do about it. */
export function wakeMessage(wakes: readonly Wake[]): MessageItem {
  const ends = wakes.flatMap((wake) => (wake.kind === 'command' ? [wake.end] : []));
  const agents = wakes.flatMap((wake) => (wake.kind === 'agent' ? [wake.end] : []));
  const ticks = wakes.flatMap((wake) => (wake.kind === 'clock' ? [wake] : []));
  const untold = ends.length - MOST_TOLD;
  const texts = [
    ...ends.slice(-MOST_TOLD).map((end) => tagged('exec_command_completed', endFacts(end))),
    ...(untold > 0 ? [`${untold} more commands that you had left running have ended before these.`] : []),
    ...agents.map((end) => agentTag(agentFacts(end))),
    ...ticks.slice(-1).map((tick) => tagged('clock_tick', tickFacts(tick))),
    ...(ends.length > 0 ? [commandEnded.trim()] : []),
    ...(agents.length > 0 ? [agentEnded.trim()] : []),
    ...(ticks.length > 0 ? [clockTick.trim()] : []),
  ];
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text: texts.join('\n') }] };
}

/** A notice for each, or one for a crowd of them. */
export function wakeNotices(wakes: readonly Wake[], turnId: string): Notice[] {
  const ends = wakes.flatMap((wake) => (wake.kind === 'command' ? [wake.end] : []));
  const ticks = wakes.flatMap((wake) => (wake.kind === 'clock' ? [wake] : []));
  const count = ends.length;
  const told =
    count > MOST_TOLD
      ? [
          notice('info', 'wake.commands', `${count} background commands ended.`, {
            turnId,
            details: { count },
          }),
        ]
      : ends.map((end) => endNotice(end, turnId));
  const agents = wakes.flatMap((wake) => (wake.kind === 'agent' ? [agentNotice(wake.end, turnId)] : []));
  return [...told, ...agents, ...ticks.slice(-1).map((tick) => tickNotice(tick.periodMinutes, turnId))];
}

function endNotice({ command: line, exit, itemId, processId }: BackgroundEnd, turnId: string): Notice {
  const command = shortened(line);
  const about = { command, itemId, processId };
  if (exit.failure) {
    const details = { ...about, reason: exit.failure.message };
    return notice('info', 'wake.command', `\`${command}\` failed: ${details.reason}`, { turnId, details });
  }
  const { exitCode, signal } = exit;
  const ended = signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
  const details = { ...about, ...(signal === null ? { exitCode } : { signal }) };
  return notice('info', 'wake.command', `\`${command}\` ${ended}.`, { turnId, details });
}

function agentNotice({ agentId, nickname, standing, turnId: ended }: AgentEnd, turnId: string): Notice {
  const details = { agentId, nickname, turnId: ended };
  return typeof standing === 'object' && 'errored' in standing
    ? notice('info', 'wake.agentFailed', `${nickname} has failed.`, { turnId, details })
    : notice('info', 'wake.agent', `${nickname} has ended.`, { turnId, details });
}

function tickNotice(minutes: number, turnId: string): Notice {
  const text =
    minutes === 1 ? 'Woken by its clock, every minute.' : `Woken by its clock, every ${minutes} min.`;
  return notice('info', 'wake.clock', text, { turnId, details: { minutes: String(minutes) } });
}

function agentFacts({ agentId, nickname, standing }: AgentEnd) {
  return { agent_id: agentId, nickname, status: toldStanding(standing) };
}

/** Not what it has printed: that comes with a tool's output, and never looks like a person's words. */
function endFacts({ processId, exit, command }: BackgroundEnd): object {
  return { session_id: Number(processId), ...exitFacts(exit), command: shortened(command) };
}

function exitFacts({ exitCode, signal, failure }: Exit): object {
  if (failure) return { exit_code: null, error: failure.message };
  return { exit_code: exitCode, ...(signal === null ? {} : { signal }) };
}

function tickFacts({ periodMinutes, at }: Wake & { kind: 'clock' }): object {
  return { period_m: periodMinutes, current_time: localTime(at) };
}

/** ISO, to the second, with the offset of this machine's zone. */
export function localTime(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const two = (n: number) => String(Math.floor(Math.abs(n))).padStart(2, '0');
  const local = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, 19);
  return `${local}${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** A command line must not look like the end of its tag. */
function tagged(tag: string, facts: object): string {
  return `<${tag}>\n${JSON.stringify(facts).replaceAll('<', '\\u003c')}\n</${tag}>`;
}

function shortened(command: string): string {
  const line = command.replace(/\s+/g, ' ').trim();
  return line.length > COMMAND_SHOWN ? `${line.slice(0, COMMAND_SHOWN)}…` : line;
}
