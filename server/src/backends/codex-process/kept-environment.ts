import { Failure } from '../../base/errors.ts';

/** Why the environment of an agent that is a Codex cannot be read again. */
export function keptEnvironment(): Failure {
  return new Failure(
    'conflict',
    'codex.environment',
    'Codex has its environment from this server and keeps it; restart the server to give it another one.',
  );
}
