/**
 * AGENTS.md: what people have agents told in files, for all of their projects (in CODEX_HOME) and for one (from the
 * root of the repository down to the working directory). Found and put together as Codex does.
 */
import { basename, join } from 'node:path';
import type { ContextFiles, FileResult } from './context-files.ts';
import type { ContextProblem } from './context-problem.ts';
import { cutText } from './cut-text.ts';
import { projectFolders } from './project-folders.ts';

/** The first of them that exists counts. */
const NAMES = ['AGENTS.override.md', 'AGENTS.md'];
/** Bytes of the file in CODEX_HOME. */
const GLOBAL_LIMIT = 64 * 1024;
/** Bytes of all files of a project; Codex's. */
export const PROJECT_LIMIT = 32 * 1024;

const BETWEEN = '\n\n--- project-doc ---\n\n';

export type AgentsMdPlaces = {
  codexHome: string;
  /** Absolute. */
  cwd: string;
  /** `user_instructions` of the configuration. */
  userInstructions?: string | undefined;
  /** Bytes of all files of the project together; undefined: `PROJECT_LIMIT`. */
  projectLimit?: number | undefined;
  /** Names that count in a folder of the project where none of `NAMES` is there. */
  fallbacks?: readonly string[] | undefined;
};

/** `text`: as the model is told it; null where nobody says anything. */
export type AgentsMd = { text: string | null; problems: ContextProblem[] };

/** Never throws: what cannot be read is among the problems. */
export async function agentsMd(
  { codexHome, cwd, userInstructions = '', projectLimit = PROJECT_LIMIT, fallbacks = [] }: AgentsMdPlaces,
  { own, project }: { own: ContextFiles; project: ContextFiles },
): Promise<AgentsMd> {
  const problems: ContextProblem[] = [];
  const global = await globalText(codexHome, own, problems);
  const names = [
    ...NAMES,
    ...fallbacks.filter((name) => basename(name) === name && !['', '.', '..'].includes(name)),
  ];
  const docs = await projectTexts({ cwd, names, limit: projectLimit }, project, problems);
  const user = [userInstructions.trim(), global].filter(Boolean).join('\n\n');
  const text = [user, docs.join('\n\n')].filter(Boolean).join(BETWEEN);
  return { text: text ? told(cwd, text) : null, problems };
}

function told(cwd: string, text: string): string {
  return `# AGENTS.md instructions for ${cwd}\n\n<INSTRUCTIONS>\n${text}\n</INSTRUCTIONS>`;
}

/** Of the first file that says anything. */
async function globalText(folder: string, files: ContextFiles, problems: ContextProblem[]): Promise<string> {
  for (const name of NAMES) {
    const text = textFrom(await files.read(join(folder, name), GLOBAL_LIMIT), GLOBAL_LIMIT, problems);
    if (text) return text;
  }
  return '';
}

/** Existence, not content, decides which file of a folder counts. */
async function projectTexts(
  { cwd, names, limit }: { cwd: string; names: readonly string[]; limit: number },
  files: ContextFiles,
  problems: ContextProblem[],
): Promise<string[]> {
  if (limit === 0) return [];
  const texts: string[] = [];
  let left = limit;
  for (const folder of projectFolders(cwd)) {
    const found = await firstThere(folder, names, left, files);
    texts.push(textFrom(found, left, problems));
    if (found && 'file' in found) left = Math.max(0, left - found.file.bytes);
  }
  return texts.filter(Boolean);
}

async function firstThere(
  folder: string,
  names: readonly string[],
  limit: number,
  files: ContextFiles,
): Promise<FileResult | null> {
  for (const name of names) {
    const found = await files.read(join(folder, name), limit);
    if (found) return found;
  }
  return null;
}

function textFrom(found: FileResult | null, limit: number, problems: ContextProblem[]): string {
  if (!found) return '';
  const { path } = found;
  const code = 'context.agentsMd';
  if ('why' in found) {
    problems.push({ code, path, why: `${found.why}; the agent does not know it` });
    return '';
  }
  const { text, bytes, isCut, isDamaged } = found.file;
  if (isDamaged) problems.push({ code, path, why: 'what is no UTF-8 in it was replaced; save it as UTF-8' });
  if (!isCut) return text.trim();
  const why = `it has ${bytes} bytes, and the agent was told ${limit} of them; shorten it, or raise project_doc_max_bytes`;
  problems.push({ code, path, why, kind: 'cut' });
  return cutText(text, { path, bytes, shown: limit });
}
