import type { Notice } from '@tscodex/shared/items';
import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { v7 as uuid } from 'uuid';
import { Markdown } from '../markdown/markdown.tsx';
import { t } from '../messages/messages.ts';
import { serverSentence } from '../messages/server-sentence.ts';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { useAction } from '../ui/use-action.ts';
import { CodeBlock } from './code-block.tsx';
import type { ItemProps } from './item-props.ts';
import styles from './notice.module.css';
import { NoticeLinks } from './notice-links.tsx';
import { isModelFailure, isPause } from './resumable-item.ts';

/** What goes on beside the turns: told in a line, for whoever wants to know. */
const ASIDE = /^(wake|hook|turn-hook)\./;

const UNKNOWN = 'command.unknown';

/** What is wrong with a command: the sentence has all of it. */
const ALL_SAID = /^(command|resume|session\.cwd)[.-]/;

const icons = { info: Info, warning: TriangleAlert, error: CircleAlert };

/** What the session itself has to say: the result of a command, a retry, a restart, a failure. */
export function NoticeView(props: ItemProps<Notice>) {
  const { item } = props;
  const Icon = icons[item.level];
  return (
    <div className={styles.notice} data-level={item.level} data-aside={ASIDE.test(item.code)}>
      <Icon size={15} aria-hidden="true" />
      <div className={styles.words}>
        <p className={classes(isTable(item) && styles.table)}>
          <Sentence item={item} />
        </p>
        <NoticeAction {...props} />
        <NoticeLinks item={item} />
        {item.code === 'turn-hook.done' && <LastMessage text={item.details?.message} />}
        {item.code.startsWith('turn-hook.') && <WasRun lines={item.details?.done} />}
        {item.level !== 'info' && !ALL_SAID.test(item.code) && item.details && (
          <Details details={item.details} />
        )}
      </div>
    </div>
  );
}

/** A command that the sentence quotes is set as one. */
function Sentence({ item }: { item: Notice }) {
  const sentence = serverSentence({ ...item, message: item.text });
  const command = item.details?.command;
  const [before, ...after] = typeof command === 'string' ? sentence.split(`\`${command}\``) : [sentence];
  if (after.length !== 1) return sentence;
  return (
    <>
      {before}
      <code>{command as string}</code>
      {after}
    </>
  );
}

/** Commands answer with several lines in columns. */
function isTable({ code, text }: Notice): boolean {
  return code.startsWith('command.') && text.includes('\n');
}

/** The way on from here, where there is one. */
function NoticeAction({ item, actions, resumable }: ItemProps<Notice>) {
  const { busy, problem, run } = useAction();
  const [id] = useState(() => uuid());
  const [sent, setSent] = useState(false);
  const text = item.code === UNKNOWN ? item.details?.text : undefined;
  const retry = () => run(() => actions.send({ id, text: t('conversation.tryAgainText'), mode: 'steer' }));
  const sendAsText = async (text: string) => {
    if (await run(() => actions.send({ id, text, mode: 'steer', literal: true }))) setSent(true);
  };
  const failed = isModelFailure(item);
  if (!resumable && typeof text !== 'string') return null;
  return (
    <div className={styles.actions}>
      {resumable && (
        <Button disabled={busy} onClick={() => (failed ? retry() : run(() => actions.resume()))}>
          {t(goOnBy(item))}
        </Button>
      )}
      {typeof text === 'string' && (
        <Button disabled={busy || sent} onClick={() => sendAsText(text)}>
          {t(sent ? 'conversation.sentAsText' : 'conversation.sendAsText')}
        </Button>
      )}
      {problem && <span role="alert">{problem}</span>}
    </div>
  );
}

function goOnBy(item: Notice) {
  if (isModelFailure(item)) return 'ui.tryAgain';
  return isPause(item) ? 'conversation.resume' : 'conversation.continue';
}

/** What the agent said at the end of what only this notice shows. */
function LastMessage({ text }: { text: unknown }) {
  if (typeof text !== 'string' || text === '') return null;
  return (
    <details className={styles.details}>
      <summary data-shows-more>{t('conversation.lastMessage')}</summary>
      <Markdown text={text} streaming={false} />
    </details>
  );
}

/** The commands and patches of what nobody has watched. */
function WasRun({ lines }: { lines: unknown }) {
  if (typeof lines !== 'string' || lines === '') return null;
  return (
    <details className={styles.details}>
      <summary data-shows-more>{t('conversation.wasRun')}</summary>
      <CodeBlock label={t('conversation.wasRun')}>{lines}</CodeBlock>
    </details>
  );
}

function Details({ details }: { details: Record<string, unknown> }) {
  return (
    <details className={styles.details}>
      <summary data-shows-more>{t('conversation.details')}</summary>
      <CodeBlock label={t('conversation.details')}>{JSON.stringify(details, null, 2)}</CodeBlock>
    </details>
  );
}
