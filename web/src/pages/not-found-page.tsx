import { Link } from 'wouter';
import { t } from '../messages/messages.ts';
import { Notice } from '../ui/notice.tsx';
import { useTitle } from '../ui/use-title.ts';
import styles from './not-found-page.module.css';

/** For an address that leads nowhere; `text` says why when that is known. */
export function NotFoundPage({ text = t('pages.notFoundText') }: { text?: string }) {
  useTitle(t('pages.title', { page: t('pages.notFound') }));
  return (
    <main className={styles.page}>
      <Notice title={t('pages.notFound')} text={text}>
        <Link href="/">{t('pages.toWorkspaces')}</Link>
      </Notice>
    </main>
  );
}
