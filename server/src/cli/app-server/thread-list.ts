/** `thread/list`: which conversations there are, page by page. */
import * as z from 'zod';
import { Failure } from '../../base/errors.ts';
import type { ThreadFacts, ThreadFiles } from './thread-files.ts';

/** What Codex groups threads by beside all this: there are no such groups here, so nothing is in one. */
const GROUPS = {
  ...{
    sectionId: z.string().nullish(),
    projectId: z.string().nullish(),
    parentThreadId: z.string().nullish(),
  },
  ...{ ancestorThreadId: z.string().nullish(), attachedToThreadId: z.string().nullish() },
};

const strings = z.array(z.string()).nullish();
export const listParams = z.object({
  limit: z.number().int().positive().nullish(),
  cursor: z.string().nullish(),
  sortKey: z.enum(['created_at', 'updated_at', 'recency_at', 'section_position']).nullish(),
  sortDirection: z.enum(['asc', 'desc']).nullish(),
  modelProviders: strings,
  sourceKinds: strings,
  archived: z.boolean().nullish(),
  cwd: z.union([z.string(), z.array(z.string())]).nullish(),
  searchTerm: z.string().nullish(),
  ...GROUPS,
});
export type ListParams = z.infer<typeof listParams>;

const LIMIT = 25;
const MOST = 100;
/** What people work with themselves. */
const INTERACTIVE = ['cli', 'vscode'];

export type ThreadPage = {
  threads: ThreadFacts[];
  nextCursor: string | null;
  backwardsCursor: string | null;
};

/** Throws `list.cursor`. */
export async function listThreads(params: ListParams, files: ThreadFiles): Promise<ThreadPage> {
  if (Object.keys(GROUPS).some((group) => params[group as keyof typeof GROUPS] != null))
    return { threads: [], nextCursor: null, backwardsCursor: null };
  const by = params.sortKey === 'updated_at' || params.sortKey === 'recency_at' ? 'updated' : 'created';
  const all = await files.all(params.archived === true, by);
  if (params.sortDirection === 'asc') all.reverse();
  const names = await files.names();
  const limit = Math.min(params.limit ?? LIMIT, MOST);
  const threads: ThreadFacts[] = [];
  let more = false;
  const from = params.cursor ? all.findIndex(({ id }) => id === params.cursor) + 1 : 0;
  if (params.cursor && from === 0)
    throw new Failure('invalid', 'list.cursor', `cursor: there is no thread ${params.cursor} to go on after`);
  for (const file of all.slice(from)) {
    const facts = await files.listed(file, names);
    if (!facts || !fits(facts, params)) continue;
    more = threads.length === limit;
    if (more) break;
    threads.push(facts);
  }
  const last = threads.at(-1);
  return {
    threads,
    nextCursor: more && last ? last.id : null,
    backwardsCursor: threads[0]?.id ?? null,
  };
}

function fits(facts: ThreadFacts, { modelProviders, sourceKinds, cwd, searchTerm }: ListParams): boolean {
  const kinds = sourceKinds?.length ? sourceKinds : INTERACTIVE;
  const words = searchTerm?.toLowerCase();
  return (
    kinds.includes(kindOf(facts.source)) &&
    (!modelProviders?.length ||
      facts.modelProvider === null ||
      modelProviders.includes(facts.modelProvider)) &&
    (cwd == null || [cwd].flat().includes(facts.cwd)) &&
    // one in which nothing was said is nothing to go on with
    facts.preview !== '' &&
    (words === undefined || `${facts.name ?? ''}\n${facts.preview}`.toLowerCase().includes(words))
  );
}

const subAgentSource = z.object({ subagent: z.unknown() });

function kindOf(source: unknown): string {
  if (typeof source === 'string') return source;
  const agent = subAgentSource.safeParse(source).data?.subagent;
  if (agent === undefined) return 'unknown';
  return typeof agent === 'object' && agent !== null && 'thread_spawn' in agent
    ? 'subAgentThreadSpawn'
    : 'subAgent';
}
