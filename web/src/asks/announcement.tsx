import type { Approval, Ask } from '@tscodex/shared/asks';
import { useState } from 'react';
import { t } from '../messages/messages.ts';
import { approvalTitle } from './approval-title.ts';

/** Characters of a command or of paths that are read out; the form has the rest. */
const READ_OUT = 100;

/** Says that an ask has opened, to those who do not see it. One that closes is no news. */
export function Announcement({ asks }: { asks: readonly Ask[] }) {
  return (
    <p className="visually-hidden" aria-live="polite">
      {useOpenedLast(asks).map((ask) => (
        <span key={ask.id}>{sentence(ask)} </span>
      ))}
    </p>
  );
}

function useOpenedLast(asks: readonly Ask[]): readonly Ask[] {
  const [before, setBefore] = useState({ asks, opened: asks });
  if (before.asks === asks) return before.opened;
  const opened = asks.filter(({ id }) => !before.asks.some((ask) => ask.id === id));
  const now = { asks, opened: opened.length > 0 ? opened : before.opened };
  setBefore(now);
  return now.opened;
}

function sentence({ kind, from, approval, questions }: Ask): string {
  if (from) return `${t('asks.serverAsks', { server: from.server })} ${from.message.slice(0, READ_OUT)}`;
  if (kind === 'question') return t('asks.questionOpened', { question: questions?.[0]?.question ?? '' });
  const risk = approval?.risk ? t(`asks.risk.${approval.risk}`) : '';
  const what = [approvalTitle(approval), subjectOf(approval), risk].filter(Boolean).join(' ');
  return t('asks.approvalOpened', { what });
}

function subjectOf(approval: Approval | undefined): string {
  const { command, changes, reason } = approval ?? {};
  return (command ?? changes?.map(({ path }) => path).join(', ') ?? reason ?? '').slice(0, READ_OUT);
}
