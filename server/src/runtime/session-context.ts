/** What the agent of one session is told before the conversation, put together from all who have a say in it. */
import { createHash } from 'node:crypto';
import type { Item, Notice } from '@tscodex/shared/items';
import type { Config } from '../base/config/config.ts';
import type { MessageItem } from '../base/response-items.ts';
import { contextSections } from '../context/assemble.ts';
import { baseInstructions } from '../context/base-instructions.ts';
import type { ContextSections } from '../context/context-changes.ts';
import type { ContextProblem } from '../context/context-problem.ts';
import { permissionsText } from '../context/permissions-text.ts';
import { WrittenContext } from '../context/written-context.ts';
import type { Sandbox } from '../exec/sandbox/sandbox.ts';
import { notice } from './notice.ts';
import type { SessionPermissions, WorkspaceRules } from './session-permissions.ts';
import { readsOf } from './session-reads.ts';

type Parts = {
  /** As of now. */
  readonly cwd: string;
  config: Config;
  permissions: SessionPermissions;
  sandbox: Pick<Sandbox, 'problem' | 'owners'>;
  boardPath(): string | null;
  workspace(): WorkspaceRules;
  /** What the conversation shows already, notices among it. */
  shown: readonly Item[];
};

export class SessionContext {
  readonly #written: WrittenContext;
  #instructions: string | null = null;
  /** The marks of the problems that stand in the conversation. */
  readonly #told: Set<string>;

  constructor(private readonly parts: Parts) {
    const { config, permissions, sandbox, shown } = parts;
    const { codexHome, instructions, projectDocMaxBytes, projectDocFallbacks } = config;
    const reads = () => readsOf(parts.cwd, permissions, sandbox.owners);
    this.#written = new WrittenContext({
      ...{ codexHome, instructions, reads, projectDocMaxBytes, projectDocFallbacks },
      get cwd() {
        return parts.cwd;
      },
    });
    this.#told = new Set(shown.flatMap((item) => (item.type === 'notice' ? marksIn(item) : [])));
  }

  /** Who the agent is. */
  get instructions(): string {
    if (this.#instructions === null) throw new Error('the context was not prepared');
    return this.#instructions;
  }

  /**
   * To be awaited at the start of a turn: looks through what people wrote for agents, and returns what they are to be
   * told of it. Instructions are read once. Throws `config.instructions`; the next call tries again.
   */
  async prepare(): Promise<Notice[]> {
    this.#instructions ??= await baseInstructions(this.parts.config.instructions);
    const problems = await this.#written.refresh();
    const fresh = problems.filter((problem) => !this.#told.has(markOf(problem)));
    for (const problem of fresh) this.#told.add(markOf(problem));
    return [...new Set(fresh.map(({ code }) => code))].map((code) =>
      noticeOf(
        fresh.filter((problem) => problem.code === code),
        code,
      ),
    );
  }

  /** As of now; what is in files as of the last `prepare`. */
  sections(): ContextSections {
    const { cwd, config, permissions, sandbox, boardPath, workspace } = this.parts;
    const { current, writableRoots } = permissions;
    return contextSections({
      ...{ cwd, workspaceDir: workspace().dir, boardPath: boardPath(), now: new Date() },
      permissions: permissionsText({ permissions: current, problem: sandbox.problem, writableRoots, cwd }),
      developerInstructions: config.instructions.developer,
      ...this.#written.texts,
    });
  }

  skillsNamedIn(text: string, turnId: string): Promise<MessageItem[]> {
    return this.#written.skillsNamedIn(text, turnId);
  }
}

/** Files named in one notice. */
const MOST_NAMED = 5;

function noticeOf(problems: readonly ContextProblem[], code: ContextProblem['code']): Notice {
  const sentences = problems.map(({ path, why }) => `${path}: ${why}.`);
  const more = sentences.length - MOST_NAMED;
  const files = [...sentences.slice(0, MOST_NAMED), ...(more > 0 ? [`… +${more}`] : [])].join(' ');
  const details = { files, told: problems.map(markOf) };
  return notice('warning', code, `${WHAT[code]} ${files}`, { details });
}

/** By this it is known again, also after a restart. */
function markOf({ code, path, kind, why }: ContextProblem): string {
  return createHash('sha256')
    .update(`${code} ${path}: ${kind ?? why}`)
    .digest('base64url')
    .slice(0, 12);
}

function marksIn({ details }: Notice): string[] {
  const told = details?.told;
  return Array.isArray(told) ? told.filter((mark) => typeof mark === 'string') : [];
}

const WHAT = {
  'context.agentsMd': 'What is written for agents here does not all reach the agent.',
  'context.skills': 'Some skills cannot be used as they are.',
};
