import type { Ask } from '@tscodex/shared/asks';
import type { SyntheticEvent } from 'react';
import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import { AskHead, type Place } from './ask-head.tsx';
import styles from './asks.module.css';
import { completeAnswer, type Entry, entryOf, type PartialAnswer } from './partial-answer.ts';
import { QuestionField } from './question-field.tsx';
import { ServerWords } from './server-words.tsx';
import { type Answer, useAnswer } from './use-answer.ts';
import { useKept } from './use-kept.ts';

/** One question or several, answered together. What an MCP server asks may be refused. */
export function QuestionForm({ ask, place, answer }: { ask: Ask; place: Place; answer: Answer }) {
  const questions = ask.questions ?? [];
  const [partial, setPartial] = useKept<PartialAnswer>(ask.id, {});
  const { busy, give } = useAnswer(answer);
  // a page to be looked at is all that some ask for
  const whole = ask.from && questions.length === 0 ? {} : completeAnswer(questions, partial);

  const change = (questionId: string, entry: Entry) => {
    setPartial({ ...partial, [questionId]: entry });
  };
  const submit = (event?: SyntheticEvent) => {
    event?.preventDefault();
    if (whole && !busy) void give({ answers: whole });
  };

  return (
    <form
      className={styles.ask}
      data-ask={ask.id}
      tabIndex={-1}
      aria-label={t('asks.question')}
      onSubmit={submit}
    >
      {(ask.from || ask.expiresAt || place.of > 1) && (
        <AskHead
          title={ask.from ? t('asks.serverAsks', { server: ask.from.server }) : t('asks.question')}
          place={place}
          expiresAt={ask.expiresAt}
        />
      )}
      {ask.from && <ServerWords from={ask.from} />}
      {questions.map((question) => (
        <QuestionField
          key={question.id}
          question={question}
          entry={entryOf(partial, question.id)}
          onChange={(entry) => change(question.id, entry)}
          onSubmit={submit}
        />
      ))}
      <div className={styles.buttons}>
        <Button type="submit" look="primary" disabled={!whole || busy}>
          {t(busy ? 'asks.answering' : questions.length === 0 ? 'asks.goOn' : 'asks.submit')}
        </Button>
        {ask.from && (
          <>
            <Button disabled={busy} onClick={() => void give({ refuse: 'decline' })}>
              {t('asks.decline')}
            </Button>
            <Button look="quiet" disabled={busy} onClick={() => void give({ refuse: 'cancel' })}>
              {t('asks.cancel')}
            </Button>
          </>
        )}
      </div>
    </form>
  );
}
