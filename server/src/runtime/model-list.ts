/** The models that people may choose for a session. */
import type { SessionState } from '@tscodex/shared/session-state';
import type { SessionModel } from '@tscodex/shared/workspace';
import type { AgentBackend } from '../backends/backend.ts';
import { Failure } from '../base/errors.ts';
import type { Efforts } from './settings-changes.ts';

const LIST_TIMEOUT_MS = 15_000;
const MODELS_LISTED = 500;

export class ModelList {
  constructor(
    private readonly ports: {
      backend(): AgentBackend;
      state(): SessionState;
      efforts: Efforts;
      /** Aborted when the session leaves memory. */
      gone: AbortSignal;
    },
  ) {}

  /** As the provider lists them. Throws `model.list` where it does not answer in time, and what it refuses with. */
  async names(): Promise<string[]> {
    const { backend, gone } = this.ports;
    const signal = AbortSignal.any([AbortSignal.timeout(LIST_TIMEOUT_MS), gone]);
    return backend()
      .listModels(signal)
      .catch((error) => {
        if (!signal.aborted) throw error;
        throw new Failure(
          'unavailable',
          'model.list',
          'The provider did not list its models in time; try again.',
        );
      });
  }

  /** The session's own first, whatever is listed: one that lists none can still be asked for another effort. */
  async models(): Promise<SessionModel[]> {
    const listed = await this.names().catch(() => []);
    const { model } = this.ports.state();
    const ids = new Set([...(model === null ? [] : [model]), ...listed.slice(0, MODELS_LISTED)]);
    return [...ids].map((id) => {
      const efforts = this.ports.efforts.of(id);
      return { id, efforts: efforts ? [...efforts] : null };
    });
  }
}
