/** Why a turn is given up whose Codex tries in vain to reach its provider. */
import { Failure } from '../../base/errors.ts';

export function unreachable(seconds: number, reason: string): Failure {
  return new Failure(
    'unavailable',
    'codex.unreachable',
    `Codex could not reach its provider for ${seconds} seconds: ${reason}. Look after the network and the provider in config.toml, then send it again.`,
    { details: { seconds, reason } },
  );
}
