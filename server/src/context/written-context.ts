/**
 * What people wrote in files for the agent of one session: AGENTS.md and skills. Looked through at the start of a
 * turn, so that a request costs no more than its own: what changes counts from the next turn on.
 */
import type { Instructions } from '../base/config/config.ts';
import type { MayRead } from '../base/file-at-path.ts';
import type { MessageItem } from '../base/response-items.ts';
import { agentsMd } from './agents-md.ts';
import { ContextFiles } from './context-files.ts';
import type { ContextProblem } from './context-problem.ts';
import { namedSkills, skillItem } from './skill-mentions.ts';
import { type Skill, SkillReader } from './skills.ts';
import { skillsText } from './skills-text.ts';

export type WrittenContextOptions = {
  codexHome: string;
  /** As of now. */
  readonly cwd: string;
  instructions: Pick<Instructions, 'user'>;
  /** Bytes of all AGENTS.md of a project together; undefined: as Codex. */
  projectDocMaxBytes?: number | undefined;
  /** Names of files that count in a folder of a project without AGENTS.md. */
  projectDocFallbacks?: readonly string[] | undefined;
  /** What the session's commands could read, as of now. */
  reads(): MayRead;
};

export class WrittenContext {
  /** Of the user who runs this server: read whatever the commands may. */
  readonly #own = new ContextFiles(() => true);
  #mayRead: MayRead = () => false;
  readonly #files = new ContextFiles((file) => this.#mayRead(file));
  readonly #reader = new SkillReader(this.#files, (file) => this.#mayRead(file));
  #skills: readonly Skill[] = [];
  #texts: { skills: string | null; agentsMd: string | null } = { skills: null, agentsMd: null };
  #given: { turnId: string; skills: Set<string> } = { turnId: '', skills: new Set() };

  constructor(private readonly options: WrittenContextOptions) {}

  /** As the model is told it, as of the last `refresh`. */
  get texts(): Readonly<{ skills: string | null; agentsMd: string | null }> {
    return this.#texts;
  }

  /** Returns what does not reach the agent as it was meant. Never throws for what files hold. */
  async refresh(): Promise<ContextProblem[]> {
    const { codexHome, cwd, instructions, projectDocMaxBytes, projectDocFallbacks } = this.options;
    this.#mayRead = this.options.reads();
    const places = {
      ...{ codexHome, cwd, userInstructions: instructions.user },
      ...{ projectLimit: projectDocMaxBytes, fallbacks: projectDocFallbacks },
    };
    const [docs, found] = await Promise.all([
      agentsMd(places, { own: this.#own, project: this.#files }),
      this.#reader.find({ codexHome, cwd }),
    ]);
    this.#skills = found.skills;
    this.#texts = { agentsMd: docs.text, skills: skillsText(found.skills) };
    return [...docs.problems, ...found.problems];
  }

  /** What the model is to read below a message of a person that names skills, each once in a turn. */
  async skillsNamedIn(text: string, turnId: string): Promise<MessageItem[]> {
    if (this.#given.turnId !== turnId) this.#given = { turnId, skills: new Set() };
    const { skills: given } = this.#given;
    const named = namedSkills(text, this.#skills).filter(({ path }) => !given.has(path));
    for (const { path } of named) given.add(path);
    const items = await Promise.all(named.map((skill) => skillItem(skill, this.#files)));
    return items.filter((item) => item !== null);
  }
}
