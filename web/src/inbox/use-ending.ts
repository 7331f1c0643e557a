import type { AskEnding } from '@tscodex/shared/asks';
import { useEffect, useState } from 'react';
import { urlPath } from '../api/http.ts';
import { endingFrom, endingWords } from '../asks/ended.ts';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { askedBy, type Waiting } from './waiting.ts';

/** How one ended that was not decided here, and by whom as soon as that is known. Asked for once it `hasEnded`. */
export function useEnding(waiting: Waiting, hasEnded: boolean): string {
  const { api } = useServices();
  const [words, setWords] = useState(t('inbox.gone'));
  const askId = waiting.ask?.id;
  const session = askedBy(waiting);
  useEffect(() => {
    if (!hasEnded || askId === undefined) return;
    api.json<AskEnding>('GET', urlPath('api', 'sessions', session, 'asks', askId)).then(
      (ending) => ending.outcome !== null && setWords(endingWords(endingFrom(ending))),
      // with its session closed there is no more to be said of it
      () => undefined,
    );
  }, [api, session, askId, hasEnded]);
  return words;
}
