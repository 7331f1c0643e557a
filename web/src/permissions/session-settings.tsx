import { lacks } from '@tscodex/shared/lacks';
import type { SessionState } from '@tscodex/shared/session-state';
import { t } from '../messages/messages.ts';
import { SettingChoice } from './setting-choice.tsx';
import { SETTINGS, type Setting } from './settings.ts';
import { usePermissions } from './use-permissions.ts';

/** What people have set for one session, to be changed. */
export function SessionSettings({ session }: { session: SessionState }) {
  const { chosen, given, choose, problem } = usePermissions(session.id, session);
  const writes = (chosen.sandbox || given.sandbox) === 'workspace-write';
  const neverAsks = lacks(session.backend, 'asks');
  const noteOn = (setting: Setting) => {
    if (setting === 'network' && !writes) return t('permissions.networkOnly');
    return setting === 'approval' && neverAsks ? t('permissions.neverAsks') : undefined;
  };
  return (
    <>
      {SETTINGS.map((setting) => (
        <SettingChoice
          key={setting}
          setting={setting}
          value={chosen[setting]}
          fallback={setting === 'approval' && neverAsks ? 'never' : given[setting]}
          neverAsks={neverAsks}
          note={noteOn(setting)}
          problem={
            problem?.setting === setting ? t('permissions.notSaved', { reason: problem.reason }) : undefined
          }
          onChoose={(value) => choose(setting, value)}
        />
      ))}
    </>
  );
}
