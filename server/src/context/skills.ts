/**
 * Skills: folders with a SKILL.md that says what it is good for and how it is done. The user's and Codex's own lie
 * in CODEX_HOME, a project's in `.agents/skills`, from the working directory up to the root of the repository.
 */
import { join } from 'node:path';
import type { MayRead } from '../base/file-at-path.ts';
import type { Beginning, ContextFiles, FileResult } from './context-files.ts';
import type { ContextProblem } from './context-problem.ts';
import { projectFolders } from './project-folders.ts';
import { isOffered, type SkillHead, skillHead } from './skill-file.ts';
import { SKILL_FILE, SkillScanner } from './skill-scan.ts';

/**
 * Bytes: the front matter must lie within, and so must the policy beside it. YAML that is written to be slow takes
 * the square of its length.
 */
const HEAD_LIMIT = 4 * 1024;
const POLICY_LIMIT = 8 * 1024;
/** Skills of one session, broken ones among them. */
const MOST_SKILLS = 300;

export type Skill = SkillHead & {
  /** The SKILL.md and the root it was found below: absolute. */
  path: string;
  root: string;
  /** Whether the model is told of it unasked; where not, it takes a person who names it. */
  isOffered: boolean;
};

export type Skills = { skills: Skill[]; problems: ContextProblem[] };

export class SkillReader {
  /** What the files said that are still the same. */
  readonly #heads = new WeakMap<Beginning, ReturnType<typeof skillHead>>();
  readonly #policies = new WeakMap<Beginning, boolean>();

  readonly #scanner: SkillScanner;

  constructor(
    private readonly files: ContextFiles,
    mayRead: MayRead,
  ) {
    this.#scanner = new SkillScanner(mayRead);
  }

  /**
   * Those nearest to the working directory first, then the user's, then Codex's own; of several links to one file
   * the first. Never throws: what is broken is among the problems.
   */
  async find({ codexHome, cwd }: { codexHome: string; cwd: string }): Promise<Skills> {
    const own = join(codexHome, 'skills');
    const project = projectFolders(cwd)
      .reverse()
      .map((folder) => join(folder, '.agents', 'skills'));
    const found: Skills = { skills: [], problems: [] };
    const seen = new Set<string>();
    for (const root of [...project, own, join(own, '.system')]) await this.#addFrom(root, found, seen);
    return found;
  }

  async #addFrom(place: string, { skills, problems }: Skills, seen: Set<string>): Promise<void> {
    const scanned = await this.#scanner.folders(place);
    if (!scanned) return;
    const { root, folders, isCut } = scanned;
    const problem = (path: string, why: string) => problems.push({ code: 'context.skills', path, why });
    if (isCut) problem(root, 'it holds more folders than are looked into; some of its skills are not known');
    for (const folder of folders) {
      const read = await this.files.read(join(folder, SKILL_FILE), HEAD_LIMIT);
      if (!read || ('realPath' in read && seen.has(read.realPath))) continue;
      if (skills.length + problems.length >= MOST_SKILLS)
        return void problem(root, `only the first ${MOST_SKILLS} skills are known; remove some`);
      const head = 'why' in read ? read : this.#head(read.file);
      if ('why' in head) {
        problem(read.path, `${head.why}; this skill is left out`);
        continue;
      }
      if ('realPath' in read) seen.add(read.realPath);
      skills.push({ ...head, path: read.path, root, isOffered: await this.#isOffered(folder) });
    }
  }

  #head(file: Beginning) {
    const head = this.#heads.get(file) ?? skillHead(file.text);
    this.#heads.set(file, head);
    return head;
  }

  async #isOffered(folder: string): Promise<boolean> {
    const read: FileResult | null = await this.files.read(
      join(folder, 'agents', 'openai.yaml'),
      POLICY_LIMIT,
    );
    if (!read || 'why' in read) return true;
    const offered = this.#policies.get(read.file) ?? isOffered(read.file.text);
    this.#policies.set(read.file, offered);
    return offered;
  }
}
