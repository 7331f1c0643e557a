/** All retries of one request, folded into one notice. */
import type { EventBody } from '@tscodex/shared/events';
import type { Notice } from '@tscodex/shared/items';
import { v7 as uuid } from 'uuid';
import type { ModelEvent } from '../model/client.ts';

export class RetryNotice {
  #notice: Notice | null = null;

  constructor(
    private readonly turnId: string,
    private readonly emit: (event: EventBody) => void,
  ) {}

  show({ attempt, max, delayMs, httpStatus, message }: Extract<ModelEvent, { type: 'retrying' }>): void {
    const details = { attempts: attempt, max, httpStatus: httpStatus ?? null, message };
    const type = this.#notice ? 'item.updated' : 'item.started';
    this.#notice = {
      id: this.#notice?.id ?? uuid(),
      type: 'notice',
      turnId: this.turnId,
      status: 'inProgress',
      startedAt: this.#notice?.startedAt ?? new Date().toISOString(),
      level: 'info',
      code: 'model.retry',
      text: `Retry ${attempt}/${max}. ${message}`,
      details,
    };
    this.emit({ type, item: this.#notice });
    this.emit({ type: 'model.retrying', attempt, max, delayMs, httpStatus, message });
  }

  /** `recovered`: the model answered in the end. A failure is told by the turn itself. */
  close(recovered: boolean): void {
    if (!this.#notice) return;
    const item: Notice = {
      ...this.#notice,
      status: recovered ? 'completed' : 'failed',
      completedAt: new Date().toISOString(),
    };
    this.#notice = null;
    this.emit({ type: 'item.completed', item });
  }
}
