import type { Approval } from '@tscodex/shared/asks';
import { t } from '../messages/messages.ts';
import { patternText } from '../rules/rule-text.ts';
import { TrueText } from '../ui/true-text.tsx';

/** That people here want to be asked, about what, and why. */
export function RuleThatAsks({ because }: { because: NonNullable<Approval['because']> }) {
  const { justification } = because;
  return (
    <>
      {t('asks.ruleAsks')}{' '}
      <code>
        <TrueText text={patternText(because)} />
      </code>
      {justification && <TrueText text={t('asks.ruleWords', { words: justification })} prose />}
    </>
  );
}
