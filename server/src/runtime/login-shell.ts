/** How a session reads what the user's login shell adds to the environment of its commands. */
import { v7 as uuid } from 'uuid';
import { Failure } from '../base/errors.ts';
import { LoginEnvironment } from '../exec/login-environment.ts';
import type { ProcessManager } from '../exec/process-manager.ts';
import type { RuntimeServices } from './create-runtime.ts';
import type { SessionPermissions } from './session-permissions.ts';

/**
 * The profile is read where (the `cwd` of then) and as commands run, which asks nobody: so not where it was to be confined, and
 * what confined it has been lost. Commands then get what the server has.
 */
export function loginEnvironment(
  session: { readonly cwd: string },
  processes: Pick<ProcessManager, 'start'>,
  permissions: Pick<SessionPermissions, 'current' | 'confinement'>,
  { config, env, sandbox, fault }: Pick<RuntimeServices, 'config' | 'env' | 'sandbox' | 'fault'>,
): LoginEnvironment {
  return new LoginEnvironment({
    from: env,
    policy: config.environment,
    start: (program) => {
      if (sandbox.lost && permissions.current.sandbox !== 'danger-full-access') throw unheld();
      return processes.start({
        ...program,
        ...{ command: 'login shell', cwd: session.cwd, tty: false },
        ...{ confinement: permissions.confinement({}), asOwnerOf: session.cwd },
        ...{ turnId: '', itemId: uuid(), onOutput: () => undefined },
      });
    },
    failed: (why) => fault('read the login environment', why),
  });
}

function unheld(): Failure {
  const message =
    'The environment of the login shell was not read: commands could be confined and cannot any more. Once they can again, send /env.';
  return new Failure('unavailable', 'environment.profile', message);
}
