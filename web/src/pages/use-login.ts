import { useCallback, useEffect, useState } from 'react';
import { type Api, ApiProblem } from '../api/http.ts';
import { nextPlace } from '../api/next.ts';
import { t } from '../messages/messages.ts';
import { DeviceName } from '../state/device-name.ts';
import { deviceStorage } from '../state/device-storage.ts';

/** `entering`: nothing to ask yet, or not any more. */
export type LoginPhase = 'entering' | 'asking' | 'sending';

/**
 * Logging in. A browser that has a login moves on at once: a link from a chat arrives without the cookie, so
 * the server could not know. A token in the link's fragment is used and taken out of the address bar first.
 */
export function useLogin(api: Api) {
  const [phase, setPhase] = useState<LoginPhase>('entering');
  const [problem, setProblem] = useState<string | null>(null);
  const [wait, setWait] = useCountdown();

  const logIn = useCallback(
    async (credentials: { password: string } | { token: string }) => {
      // a link's token asks nothing: there is no form to show
      if ('password' in credentials) setPhase('sending');
      setProblem(null);
      try {
        const { name } = new DeviceName(deviceStorage());
        await api.login(name === null ? credentials : { ...credentials, name });
        enter(api.base);
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error;
        setPhase('asking');
        setWait(error.status === 429 ? (error.retryAfter ?? 10) : 0);
        setProblem(sentence(error, 'token' in credentials));
      }
    },
    [api, setWait],
  );

  useEffect(() => {
    const begin = () => {
      const token = takeToken();
      api.isLoggedIn().then((inside) => {
        if (inside) enter(api.base);
        else if (token !== null) void logIn({ token });
        else setPhase('asking');
      });
    };
    begin();
    // the printed link opened in a tab that shows this page already: no new page, a new fragment
    addEventListener('hashchange', begin);
    return () => removeEventListener('hashchange', begin);
  }, [api, logIn]);

  return { phase, problem, wait, logIn };
}

function enter(base: URL): void {
  location.replace(nextPlace(base, new URLSearchParams(location.search).get('next')));
}

/** The token of `…/login#token=…`, removed from the address and the history. */
function takeToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) history.replaceState(null, '', location.pathname + location.search);
  return token;
}

function sentence(problem: ApiProblem, token: boolean): string {
  if (problem.status === 401) return token ? t('login.wrongToken') : t('login.wrong');
  return problem.message;
}

/** Seconds that count down to 0 by themselves. */
function useCountdown(): [number, (seconds: number) => void] {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  return [left, setLeft];
}
