/** How long a turn of `codex exec` may bring nothing new: somebody waits for it. */
import { Failure } from '../../base/errors.ts';
import { unreachable } from '../codex-process/unreachable.ts';

export type Limits = {
  /** For a model to think: nothing is heard of it meanwhile. */
  silenceMs: number;
  /** For a provider that is tried in vain. */
  reconnectSeconds: number;
};

/** How a turn goes on: `waiting` says why its request is tried again. */
export type Progress = { waiting: string | null; working: boolean };

export class Patience {
  #timer: NodeJS.Timeout | undefined;
  #waits = false;
  /** Of the newest try. */
  #reason = '';

  constructor(
    private readonly limits: Limits,
    private readonly over: (why: Failure) => void,
  ) {
    this.heard({ waiting: null, working: false });
  }

  heard({ waiting, working }: Progress): void {
    const { silenceMs, reconnectSeconds } = this.limits;
    this.#reason = waiting ?? '';
    // the same try goes on
    if (waiting !== null && this.#waits) return;
    this.end();
    this.#waits = waiting !== null;
    if (this.#waits) {
      const why = () => unreachable(reconnectSeconds, this.#reason);
      this.#timer = setTimeout(() => this.over(why()), reconnectSeconds * 1000);
    }
    // a command takes as long as it takes: people stop it
    else if (!working) this.#timer = setTimeout(() => this.over(silence(silenceMs)), silenceMs);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

function silence(silenceMs: number): Failure {
  const minutes = Math.max(1, Math.round(silenceMs / 60_000));
  return new Failure(
    'unavailable',
    'codex.silence',
    `Codex has said nothing for ${minutes} min and was stopped. Send it again, or set codex_silence_minutes under [tscodex] in config.toml.`,
    { details: { minutes } },
  );
}
