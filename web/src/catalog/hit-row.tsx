import type { SearchHit } from '@tscodex/shared/catalog';
import { t } from '../messages/messages.ts';
import { Age } from './age.tsx';
import styles from './line.module.css';
import { Line, LineLink, type LineProps } from './line.tsx';

/** A place in a conversation where it was said. It opens there. */
export function HitRow(props: LineProps & { hit: SearchHit; to: string | null }) {
  const { hit } = props;
  return (
    <Line id={props.id} marked={props.marked} kind="hit">
      <LineLink to={props.to} marked={props.marked} onChoose={props.onChoose}>
        <span className={styles.snippet} dir="auto">
          {hit.snippet.map((part, at) => {
            const key = `${at}`;
            return part.hit ? <mark key={key}>{part.text}</mark> : <span key={key}>{part.text}</span>;
          })}
        </span>
        <Age at={hit.at} />
        <small className={styles.by}>
          {t(hit.session === undefined ? `catalog.by.${hit.by}` : `catalog.by.${hit.by}.subAgent`)}
        </small>
      </LineLink>
    </Line>
  );
}
