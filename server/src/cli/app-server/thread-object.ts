/** A thread, and its settings, as Codex's app-server tells of them. Pure. */
import type { SessionState } from '@tscodex/shared/session-state';
import type { SandboxSettings } from '../../base/config/config.ts';
import type { SessionRow } from '../../runtime/session-rows.ts';
import type { ThreadFacts } from './thread-files.ts';
import { seconds, type Turn } from './turn.ts';

/** Where Codex's own list has more than we know. */
const UNKNOWN_HERE = {
  ...{ extra: null, attachedToThreadId: null, parentThreadId: null, section: null, sectionEnteredAt: null },
  ...{ projectId: null, threadSource: null, agentNickname: null, agentRole: null, gitInfo: null },
  daybreakEnabled: null,
};

export function threadOfFile(facts: ThreadFacts, defaultProvider: string, turns: readonly Turn[] = []) {
  const { id, forkedFrom, preview, historyMode, modelProvider, model, createdAt, updatedAt, path, cwd } =
    facts;
  const { cliVersion, originator, source, name } = facts;
  return {
    ...{ ...UNKNOWN_HERE, id, environments: null, sessionId: id, forkedFromId: forkedFrom, preview },
    ...{ ephemeral: false, historyMode, modelProvider: modelProvider ?? defaultProvider, model },
    ...{ reasoningEffort: null, createdAt: seconds(createdAt), updatedAt: seconds(updatedAt) },
    ...{
      recencyAt: seconds(updatedAt),
      status: { type: 'notLoaded' },
      path,
      cwd,
      cliVersion,
      originator,
      source,
    },
    ...{ canAcceptDirectInput: null, name, turns: [...turns] },
  };
}

export type LoadedFacts = {
  state: SessionState;
  path: string;
  preview: string;
  historyMode: string;
  name: string | null;
  createdAt: number;
  updatedAt: number;
  modelProvider: string;
  originator: string;
  version: string;
  status: object;
};

export function threadOfSession(loaded: LoadedFacts, turns: readonly Turn[] = []) {
  const {
    state,
    path,
    preview,
    historyMode,
    name,
    createdAt,
    updatedAt,
    modelProvider,
    originator,
    version,
    status,
  } = loaded;
  const { id, cwd, model, effort } = state;
  return {
    ...{ ...UNKNOWN_HERE, id, environments: [{ environmentId: 'local', cwd, runtimeWorkspaceRoots: [cwd] }] },
    ...{
      sessionId: id,
      forkedFromId: state.forkedFrom ?? null,
      preview,
      ephemeral: false,
      historyMode,
    },
    ...{ modelProvider, model, reasoningEffort: effort, createdAt: seconds(createdAt) },
    ...{
      updatedAt: seconds(updatedAt),
      recencyAt: seconds(updatedAt),
      status,
      path,
      cwd,
      cliVersion: version,
    },
    ...{ originator, source: 'vscode', canAcceptDirectInput: true, name, turns: [...turns] },
  };
}

/** What `thread/start`, `thread/resume` and `thread/fork` say beside the thread. */
export function threadSettings(state: SessionState, places: SandboxSettings, modelProvider: string) {
  const { cwd, model, effort, approvalPolicy } = state;
  return {
    ...{ model: model ?? '', modelProvider, serviceTier: null, disabledPluginIds: [], cwd },
    ...{ runtimeWorkspaceRoots: [cwd], instructionSources: [], approvalPolicy, approvalsReviewer: 'user' },
    ...{ sandbox: sandboxOf(state, places), activePermissionProfile: null, reasoningEffort: effort },
    multiAgentMode: 'explicitRequestOnly',
  };
}

function sandboxOf(
  { sandboxMode, networkAccess }: SessionState,
  { writableRoots, slashTmp, tmpdir }: SandboxSettings,
) {
  if (sandboxMode === 'danger-full-access') return { type: 'dangerFullAccess' };
  if (sandboxMode === 'read-only') return { type: 'readOnly', networkAccess };
  return {
    ...{ type: 'workspaceWrite', writableRoots: [...writableRoots], networkAccess },
    ...{ excludeTmpdirEnvVar: !tmpdir, excludeSlashTmp: !slashTmp },
  };
}

/** Of one that an agent has started, as Codex knows such threads; nothing of others. */
export function startedBy({ parentId, nickname }: SessionRow, depth: number) {
  if (parentId === null) return {};
  const spawn = {
    parent_thread_id: parentId,
    depth,
    agent_path: null,
    agent_nickname: nickname,
    agent_role: null,
  };
  return {
    ...{ parentThreadId: parentId, agentNickname: nickname },
    source: { subagent: { thread_spawn: spawn } },
  };
}
