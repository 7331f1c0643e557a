import { memo, useState } from 'react';
import { t } from '../messages/messages.ts';
import { useLanguage } from '../messages/spoken.ts';
import { Button } from '../ui/button.tsx';
import type { DiffRow } from './diff-rows.ts';
import styles from './diff-table.module.css';
import { TrueText } from './true-text.tsx';

/** Rows shown at first, and added at a time after that: a diff of any size costs no more than this at once. */
const FIRST = 400;
const MORE = 1_000;
/** Characters of one line at first; whoever minified the rest hardly meant it to be read. */
const LINE = 2_000;

/** A diff as numbered rows. Numbers and signs are not copied along. */
export const DiffTable = memo(function DiffTable(props: { label: string; rows: readonly DiffRow[] }) {
  useLanguage();
  const { label, rows } = props;
  const [shown, setShown] = useState(FIRST);
  const left = rows.length - shown;
  if (rows.length === 0) return <p className={styles.none}>{t('ui.noChanges')}</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={styles.scroll} aria-label={label} tabIndex={0}>
        <table className={styles.table}>
          <tbody>
            {rows.slice(0, shown).map((row, at) => (
              <Row key={`${at}`} row={row} />
            ))}
          </tbody>
        </table>
      </section>
      {left > 0 && (
        <Button look="quiet" className={styles.more} data-shows-more onClick={() => setShown(shown + MORE)}>
          {t('ui.showLines', { count: Math.min(left, MORE) })}
        </Button>
      )}
    </>
  );
});

const SIGNS = { add: '+', delete: '−', context: '', gap: '', remark: '' };

const Row = memo(function Row({ row }: { row: DiffRow }) {
  const number =
    row.kind === 'delete' ? row.before : 'after' in row ? row.after : row.kind === 'gap' ? '⋯' : '';
  return (
    <tr data-kind={row.kind}>
      <td className={styles.number}>{number}</td>
      <td className={styles.sign}>{SIGNS[row.kind]}</td>
      <td className={styles.text}>
        <Line text={row.text} />
      </td>
    </tr>
  );
});

function Line({ text }: { text: string }) {
  const [whole, setWhole] = useState(text.length <= LINE);
  if (whole) return <TrueText text={text} />;
  return (
    <>
      <TrueText text={text.slice(0, LINE)} />
      <Button look="quiet" onClick={() => setWhole(true)}>
        {t('ui.showCharacters', { count: text.length - LINE })}
      </Button>
    </>
  );
}
