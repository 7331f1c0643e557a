import type { Ask } from '@tscodex/shared/asks';
import { TrueText } from '../ui/true-text.tsx';
import styles from './asks.module.css';

/** What an MCP server says of what it asks, and the page that it wants looked at: all of its address shows. */
export function ServerWords({ from: { message, url } }: { from: NonNullable<Ask['from']> }) {
  return (
    <>
      <p className={styles.reason}>
        <TrueText text={message} prose />
      </p>
      {url && (
        <p className={styles.command}>
          <a href={url} target="_blank" rel="noopener noreferrer">
            <TrueText text={url} />
          </a>
        </p>
      )}
    </>
  );
}
