import type { Plan, PlanStep } from '@tscodex/shared/items';
import { Check, ChevronRight, Circle } from 'lucide-react';
import { t } from '../messages/messages.ts';
import type { ItemProps } from './item-props.ts';
import styles from './plan.module.css';

/** The plan as the agent last wrote it. */
export function PlanView({ item }: ItemProps<Plan>) {
  const done = item.steps.filter(({ status }) => status === 'completed').length;
  return (
    <div className={styles.plan}>
      <h2>{t('conversation.plan', { done, total: item.steps.length })}</h2>
      {item.explanation && <p>{item.explanation}</p>}
      <ol>
        {item.steps.map(({ step, status }, at) => (
          <li key={`${at} ${step}`} data-status={status}>
            {marks[status]}
            <span>
              {step}
              <span className="visually-hidden"> ({t(names[status])})</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

const marks: Record<PlanStep['status'], React.ReactNode> = {
  completed: <Check size={14} aria-hidden="true" />,
  inProgress: <ChevronRight size={14} aria-hidden="true" />,
  pending: <Circle size={10} aria-hidden="true" />,
};

const names = {
  completed: 'conversation.stepDone',
  inProgress: 'conversation.stepNow',
  pending: 'conversation.stepOpen',
} as const;
