import type { Usage } from '@tscodex/shared/events';
import type { SessionState } from '@tscodex/shared/session-state';
import type { CSSProperties } from 'react';
import { t } from '../messages/messages.ts';
import { spoken } from '../messages/spoken.ts';
import type { SessionActions } from '../state/actions.ts';
import { money, tokens } from './amounts.ts';
import { CompactNow } from './compact-now.tsx';
import styles from './usage-panel.module.css';

type Known = NonNullable<SessionState['usage']>;

const ROWS: readonly { name: 'input' | 'cached' | 'output' | 'reasoning'; of: keyof Usage; part?: true }[] = [
  { name: 'input', of: 'inputTokens' },
  { name: 'cached', of: 'cachedInputTokens', part: true },
  { name: 'output', of: 'outputTokens' },
  { name: 'reasoning', of: 'reasoningTokens', part: true },
];

/** What of the context is used, and what turn and session have used and cost. */
export function UsagePanel(props: {
  usage: Known;
  state: SessionState;
  actions: SessionActions;
  onCompacted: () => void;
}) {
  const { usage, state } = props;
  const { turn, total, cost, unpriced } = usage;
  return (
    <>
      <h2 className={styles.title}>{t('usage.context')}</h2>
      <Context usage={usage} />
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('usage.what')}</th>
            {turn && <th scope="col">{t(state.turn ? 'usage.thisTurn' : 'usage.latestTurn')}</th>}
            <th scope="col">{t('usage.session')}</th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map(({ name, of, part }) => (
            <tr key={name} data-part={part}>
              <th scope="row">{t(`usage.${name}`)}</th>
              {turn && <td>{tokens(turn[of])}</td>}
              <td>{tokens(total[of])}</td>
            </tr>
          ))}
          {cost && (
            <tr className={styles.cost}>
              <th scope="row">{t('usage.cost')}</th>
              {turn && <td>{money(cost.turn, cost.currency)}</td>}
              <td>{money(cost.total, cost.currency)}</td>
            </tr>
          )}
        </tbody>
      </table>
      {unpriced && <p className={styles.aside}>{t('usage.unpriced', { models: listed(unpriced) })}</p>}
      <CompactNow state={state} actions={props.actions} onCompacted={props.onCompacted} />
    </>
  );
}

function Context({ usage }: { usage: Known }) {
  const { contextTokens, contextWindow, contextEstimated } = usage;
  const left = leftOf(contextTokens, contextWindow);
  return (
    <>
      {left !== undefined && (
        <div className={styles.bar} aria-hidden="true" style={{ '--left': `${left}%` } as CSSProperties} />
      )}
      <p className={styles.context}>{contextWords(contextTokens, contextWindow, left)}</p>
      {contextEstimated && <p className={styles.aside}>{t('usage.estimated')}</p>}
    </>
  );
}

/** In percent, of the two numbers that are shown; the meter counts as Codex does, which leaves some room out. */
function leftOf(used: number | undefined, window: number | undefined): number | undefined {
  if (used === undefined || !window) return undefined;
  return Math.round(100 * Math.max(0, 1 - used / window));
}

function contextWords(used?: number, window?: number, left?: number): string {
  if (used === undefined) return t('usage.contextUnknown');
  if (window === undefined || left === undefined) return t('usage.contextAlone', { used });
  return t('usage.contextOf', { used, window, percent: left });
}

function listed(models: readonly string[]): string {
  return spoken().formats.list.format(models.map((model) => model || t('usage.unknownModel')));
}
