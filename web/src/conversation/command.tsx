import type { CommandExecution } from '@tscodex/shared/items';
import { useContext } from 'react';
import { t } from '../messages/messages.ts';
import { grantLines } from '../permissions/grant-words.ts';
import { Button } from '../ui/button.tsx';
import { duration } from '../ui/quantities.ts';
import { TrueText } from '../ui/true-text.tsx';
import { useAction } from '../ui/use-action.ts';
import { useShortPath } from '../ui/work-directory.ts';
import { allowedBy, beyond } from './allowed-by.ts';
import { CodeBlock } from './code-block.tsx';
import { CommandOutput } from './command-output.tsx';
import { ConfinesContext } from './confines-context.ts';
import { decidedBy } from './decided-by.ts';
import type { ItemProps } from './item-props.ts';
import { useOpen } from './open-items.ts';
import { useRunsLong } from './use-runs-long.ts';
import styles from './work-row.module.css';
import { WorkRow } from './work-row.tsx';

/** A command: what ran, where, how it was confined, what it printed, how it ended. */
export function CommandView({ item, actions, asking }: ItemProps<CommandExecution>) {
  const ending = useAction();
  const running = item.status === 'inProgress';
  const runsLong = useRunsLong(item);
  const [open, setOpen] = useOpen(item.id, runsLong);
  const { processId } = item;
  const confines = useContext(ConfinesContext);
  const short = useShortPath();
  // the row may have no room for all of it
  const allowed = decidedBy(item.decision) || allowedBy(item.allowance);
  const isOutside = confines && item.sandbox === 'none' && !neverRan(item) && !asking;
  const end = running && processId !== undefined && (
    <Button
      look="quiet"
      disabled={ending.busy}
      onClick={() => ending.run(() => actions.stopCommand(processId))}
    >
      {ending.busy ? t('conversation.ending') : t('conversation.endCommand')}
    </Button>
  );
  return (
    <WorkRow
      status={asking ? 'asking' : isRefused(item) ? 'notAllowed' : item.status}
      verb={asking ? t('conversation.wantsToRun') : verbOf(item)}
      subject={item.command}
      aside={asideOf(item, isOutside)}
      more={asking || isOutside ? '' : beyond(item.grants, short)}
      decided={allowed}
      action={end}
      open={open}
      onToggle={() => setOpen(!open)}
    >
      <p className={styles.caption}>
        <TrueText text={captionOf(item, confines)} prose />
      </p>
      {grantLines(item.grants).length > 0 && (
        <p className={styles.caption}>
          <TrueText text={couldAlso(item)} prose />
        </p>
      )}
      {allowed && <p className={styles.caption}>{allowed}</p>}
      <CodeBlock label={t('conversation.command')}>
        <TrueText text={item.command} />
      </CodeBlock>
      {(!neverRan(item) || isRefused(item)) && <CommandOutput item={item} loadAll={actions.output} />}
      {ending.problem && (
        <p className={styles.problem} role="alert">
          {ending.problem}
        </p>
      )}
    </WorkRow>
  );
}

function verbOf(item: CommandExecution): string {
  if (item.status === 'inProgress') return t('conversation.running');
  return t(neverRan(item) ? 'conversation.didNotRun' : 'conversation.ran');
}

/** Somebody or something said no, or it was cut while it still asked. */
function neverRan({ status, decision }: CommandExecution): boolean {
  return status === 'declined' || (status === 'interrupted' && decision?.outcome === 'withdrawn');
}

/** A rule or the policy forbade it, without asking anybody: its output says why. */
function isRefused({ status, decision, output }: CommandExecution): boolean {
  return status === 'declined' && decision === undefined && output !== '';
}

/** `isOutside`: it ran without the sandbox that holds the others. */
function asideOf(item: CommandExecution, isOutside: boolean): string {
  const { status, exitCode, durationMs, decision } = item;
  const cutShort = status === 'interrupted' || (status === 'declined' && decidedBy(decision) === '');
  const parts = [
    isRefused(item) ? t('conversation.notAllowed') : cutShort ? cutShortBy(item) : '',
    exitCode ? t('conversation.exitCode', { code: String(exitCode) }) : '',
    durationMs === undefined ? '' : duration(durationMs),
    isOutside ? t('conversation.outside') : '',
  ];
  return parts.filter(Boolean).join(' · ');
}

function cutShortBy({ status, endedBy }: CommandExecution): string {
  if (status === 'declined') return t('conversation.declined');
  if (endedBy === undefined) return t('conversation.interrupted');
  return endedBy === null ? t('conversation.ended') : t('conversation.endedBy', { by: endedBy });
}

function captionOf({ cwd, sandbox }: CommandExecution, confines: boolean): string {
  if (sandbox !== 'none') return `${cwd} · ${t('conversation.confinedBy', { mode: sandbox })}`;
  return `${cwd} · ${t(confines ? 'conversation.ranOutside' : 'conversation.notConfined')}`;
}

/** All of what it was given beyond its sandbox. */
function couldAlso({ grants }: CommandExecution): string {
  const things = grantLines(grants).map(({ words, path }) =>
    path === undefined ? words : `${words} ${path}`,
  );
  return t('conversation.couldAlso', { what: things.join(t('conversation.beyond.and')) });
}
