import { type FormEvent, useEffect, useId, useState } from 'react';
import type { Api } from '../api/http.ts';
import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import { LanguageSwitch } from '../ui/language-switch.tsx';
import { useTitle } from '../ui/use-title.ts';
import styles from './login-page.module.css';
import { useLogin } from './use-login.ts';

/** Asks for the password, unless this browser is in already or the link brought a token. */
export function LoginPage({ api }: { api: Api }) {
  const { phase, problem, wait, logIn } = useLogin(api);
  const [password, setPassword] = useState('');
  const id = useId();
  useTitle(t('pages.title', { page: t('login.title') }));

  // a wrong password is there to be typed over
  useEffect(() => {
    if (problem) (document.getElementById(id) as HTMLInputElement | null)?.select();
  }, [problem, id]);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (phase === 'asking' && wait === 0 && password !== '') void logIn({ password });
  };

  if (phase === 'entering') return null;
  const message = wait > 0 ? t('login.wait', { count: wait }) : problem;
  return (
    <main className={styles.page}>
      <form className={styles.form} onSubmit={onSubmit}>
        <h1>{t('pages.product')}</h1>
        <p className={styles.hint}>{t('login.hint')}</p>
        <label htmlFor={id}>{t('login.password')}</label>
        <input
          id={id}
          type="password"
          autoComplete="current-password"
          // biome-ignore lint/a11y/noAutofocus: the one thing this page is for
          autoFocus
          value={password}
          maxLength={4096}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-problem`}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button
          type="submit"
          look="primary"
          disabled={password === '' || wait > 0 || phase === 'sending'}
          className={styles.submit}
        >
          {phase === 'sending' ? t('login.working') : t('login.submit')}
        </Button>
        <p id={`${id}-problem`} className={styles.problem} role="alert">
          {message}
        </p>
      </form>
      <LanguageSwitch />
    </main>
  );
}
