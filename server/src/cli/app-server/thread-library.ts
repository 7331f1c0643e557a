/** What a client may ask of all threads there are, loaded or not. */
import { Failure } from '../../base/errors.ts';
import type { Answer } from './answer.ts';
import { type ThreadFacts, type ThreadFiles, unknown } from './thread-files.ts';
import { type ListParams, listThreads } from './thread-list.ts';
import { threadOfFile } from './thread-object.ts';
import type { ThreadView } from './thread-view.ts';
import { turnsOfFile } from './turns-of-file.ts';

export class ThreadLibrary {
  constructor(
    private readonly files: ThreadFiles,
    private readonly view: Pick<ThreadView, 'itemsOf' | 'provider'>,
    /** Of one that is loaded. */
    private readonly statusOf: (threadId: string) => object | undefined,
  ) {}

  /** Throws `thread.unknown` for what is not there, or archived. */
  async find(id: string): Promise<ThreadFacts> {
    const found = await this.files.find(id);
    const facts = found && (await this.files.facts(found.path));
    if (!found || !facts) throw unknown(id, 'there is none');
    if (found.archived) throw unknown(id, 'it is archived; thread/unarchive brings it back');
    return facts;
  }

  async read(id: string, includeTurns: boolean): Promise<Answer> {
    const found = await this.files.find(id);
    const facts = found && (await this.files.facts(found.path));
    if (!facts) throw new Failure('notFound', 'thread.unknown', `thread not loaded: ${id}`);
    const turns = includeTurns ? await turnsOfFile(facts.path, this.view.itemsOf(id), null) : [];
    return { result: { thread: threadOfFile(facts, this.view.provider, turns), readState: null } };
  }

  async list(params: ListParams): Promise<Answer> {
    const { threads, nextCursor, backwardsCursor } = await listThreads(params, this.files);
    const data = threads.map((facts) => {
      const status = this.statusOf(facts.id);
      return { ...threadOfFile(facts, this.view.provider), ...(status ? { status } : {}) };
    });
    return { result: { data, readStates: null, nextCursor, backwardsCursor } };
  }

  /** Whether there is a file of it. */
  async has(threadId: string): Promise<boolean> {
    return (await this.files.find(threadId)) !== null;
  }

  /** Of one that is not loaded. */
  async archive(threadId: string): Promise<Answer> {
    await this.files.archive(threadId, true);
    return { result: {}, news: [{ method: 'thread/archived', params: { threadId } }] };
  }

  async unarchive(threadId: string): Promise<Answer> {
    const facts = await this.files.facts(await this.files.archive(threadId, false));
    const thread = facts && threadOfFile(facts, this.view.provider);
    return { result: { thread }, news: [{ method: 'thread/unarchived', params: { threadId } }] };
  }
}
