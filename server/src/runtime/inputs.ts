/**
 * What people ask of a session, from the moment it reaches us until it is part of the conversation: saved, then
 * acknowledged, then waiting, then handed over to a turn. No step loses an input and none doubles it.
 */
import writtenBefore from '@tscodex/prompts/written-before.md';
import type { EventBody } from '@tscodex/shared/events';
import type { Input, InputPatch, NewInput } from '@tscodex/shared/inputs';
import type { Attachment, UserMessage } from '@tscodex/shared/items';
import { INPUT_LIMIT, MESSAGE_IMAGES_LIMIT } from '@tscodex/shared/limits';
import { Failure } from '../base/errors.ts';
import { userMessageWith } from '../base/image-parts.ts';
import { developerText, type MessageItem } from '../base/response-items.ts';
import type { RecordedWake, RolloutWriter } from '../session/rollout.ts';
import type { Attachments } from './attachments/attachments.ts';
import { changed, type Interpretation, interpret } from './input-queue.ts';
import type { SessionContext } from './session-context.ts';
import type { SessionStore } from './session-store.ts';

type Ports = {
  store: Pick<SessionStore, 'insertInput' | 'saveWaiting' | 'withdrawInput' | 'deleteInputs' | 'keepTaken'>;
  /** Whether a message can join a running turn: where none can, each waits for its own. */
  steers: boolean;
  rollout: Pick<RolloutWriter, 'recordInputs' | 'recordItem' | 'namesInputs'>;
  attachments: Pick<Attachments, 'find' | 'path' | 'read'>;
  context: Pick<SessionContext, 'skillsNamedIn'>;
  emit(event: EventBody): void;
  /** All inputs not yet part of the conversation. */
  waiting(): readonly Input[];
  /** The number of the event that began the agent's latest message; 0 before the first since loading. */
  answered(): number;
  fault(what: string, error: unknown): void;
};

const MOST_WAITING = 100;
const MOST_CHARACTERS = 4 * 1024 * 1024;

export type Accepted = { input: Input; meaning: Interpretation } | null;

export class Inputs {
  /** What is being saved right now, by id. */
  readonly #saving = new Map<string, { input: Input; saved: Promise<void> }>();
  readonly #taking = new Set<string>();
  /** Accepted since loading: what these had seen is told in numbers of this epoch. */
  readonly #recent = new Set<string>();

  constructor(
    private readonly ports: Ports,
    /** The ids of all that were ever accepted. */
    private readonly known: Set<string>,
  ) {}

  /**
   * Resolves once saved; null for an id that was accepted before. Throws `input.tooLarge`, `input.queue-full`,
   * `image.unknown`, `image.tooMuch`.
   */
  async accept(added: NewInput, author: string | null): Promise<Accepted> {
    checkSize(added.text);
    if (this.known.has(added.id)) {
      await this.#saving.get(added.id)?.saved;
      return null;
    }
    const mode = this.ports.steers ? added.mode : 'queue';
    const meaning = interpret(added.text, mode, added.literal ?? false);
    const attachments = this.#attached(added.attachments ?? []);
    if (meaning.kind === 'message') this.#checkRoom(added.text, attachments);
    const input: Input = {
      id: added.id,
      text: meaning.kind === 'message' ? meaning.text : added.text.trim(),
      mode: meaning.kind === 'message' ? meaning.mode : 'command',
      attachments,
      author,
      at: new Date().toISOString(),
      ...(added.seen === undefined ? {} : { seen: added.seen }),
    };
    await this.#save(input);
    this.#recent.add(input.id);
    if (meaning.kind === 'message') this.ports.emit({ type: 'input.accepted', input });
    return { input, meaning };
  }

  /** What waits and is not on its way into a turn already. */
  free(): Input[] {
    return this.ports.waiting().filter((input) => !this.#taking.has(input.id));
  }

  /** Keeps inputs for a turn that is about to take them: nobody can change or withdraw them any more. */
  reserve(inputs: readonly Input[]): void {
    for (const input of inputs) this.#taking.add(input.id);
  }

  release(inputs: readonly Input[]): void {
    for (const input of inputs) this.#taking.delete(input.id);
  }

  async change(id: string, patch: InputPatch, by: string | null): Promise<void> {
    if (patch.text !== undefined) checkSize(patch.text);
    this.#find(id);
    await this.ports.store.saveWaiting(changed(this.ports.waiting(), id, patch, by));
    // a turn may have taken the old words meanwhile
    this.#find(id);
    // others may have come or gone meanwhile
    this.ports.emit({ type: 'input.changed', waiting: changed(this.ports.waiting(), id, patch, by) });
  }

  async withdraw(id: string): Promise<void> {
    const input = this.#find(id);
    this.#taking.add(id);
    try {
      await this.ports.store.withdrawInput(input);
    } finally {
      this.#taking.delete(id);
    }
    this.ports.emit({
      type: 'input.changed',
      waiting: this.ports.waiting().filter((other) => other.id !== id),
    });
  }

  /**
   * Makes inputs part of the conversation, and with them the turn that they start and what has woken the agent: first
   * in the file, on disk, then gone from the database. Throws what the file says; they then go on waiting.
   */
  async handOver(
    inputs: readonly Input[],
    turnId: string,
    { starts, woken }: { starts: boolean; woken: RecordedWake | null },
  ): Promise<MessageItem[]> {
    this.reserve(inputs);
    try {
      const recorded = await Promise.all(
        inputs.map(async (input) => ({
          item: toItem(input, turnId),
          message: await this.#message(input),
          ...(this.#wroteBefore(input) ? { note: developerText(writtenBefore.trim()) } : {}),
          skills: await this.ports.context.skillsNamedIn(input.text, turnId),
          imagePaths: input.attachments.map(({ id }) => this.ports.attachments.path(id)),
        })),
      );
      await this.ports.rollout.recordInputs(recorded, starts ? turnId : undefined, woken);
      const ids = inputs.map((input) => input.id);
      // a row that stays behind is dropped when the session is loaded: its id is in the file
      await this.#leave(ids).catch((error) => this.ports.fault('delete inputs', error));
      for (const item of woken?.items ?? []) this.ports.emit({ type: 'item.completed', item });
      for (const { item } of recorded) this.ports.emit({ type: 'item.completed', item });
      this.ports.emit({ type: 'input.taken', inputIds: ids, turnId });
      const messages = recorded.flatMap(({ note, message, skills }) => [
        ...(note ? [note] : []),
        message,
        ...skills,
      ]);
      return woken ? [woken.message, ...messages] : messages;
    } finally {
      this.release(inputs);
    }
  }

  /** They do not wait any more. */
  #leave(ids: readonly string[]): Promise<void> {
    const { store, rollout } = this.ports;
    return rollout.namesInputs ? store.deleteInputs(ids) : store.keepTaken(ids);
  }

  /** Whether its author had seen nothing yet of the agent's latest message. */
  #wroteBefore({ id, seen }: Input): boolean {
    return this.#recent.delete(id) && seen !== undefined && seen < this.ports.answered();
  }

  /** Shows a command in the conversation; it is not for the model. */
  async showCommand(input: Input): Promise<void> {
    const item = toItem(input, null);
    await this.ports.rollout.recordItem(item);
    this.ports.emit({ type: 'item.completed', item });
  }

  /** What the model reads: the words and the images themselves. */
  async #message({ text, attachments }: Input): Promise<MessageItem> {
    const images = attachments.map(async (image) => ({
      ...image,
      bytes: await this.ports.attachments.read(image),
    }));
    return userMessageWith(text, await Promise.all(images));
  }

  #attached(ids: readonly string[]): Attachment[] {
    const found = [...new Set(ids)].map((id) => this.ports.attachments.find(id) ?? missing(id));
    if (bytesOf(found) <= MESSAGE_IMAGES_LIMIT) return found;
    const limit = MESSAGE_IMAGES_LIMIT / 1024 / 1024;
    throw new Failure(
      'tooLarge',
      'image.tooMuch',
      `The images of one message may have ${limit} MiB together. Send some of them in another one.`,
      { details: { limit } },
    );
  }

  async #save(input: Input): Promise<void> {
    this.known.add(input.id);
    const saved = this.ports.store.insertInput(input);
    this.#saving.set(input.id, { input, saved });
    try {
      await saved;
    } catch (error) {
      this.known.delete(input.id);
      throw error;
    } finally {
      this.#saving.delete(input.id);
    }
  }

  /**
   * Everything that waits is sent to every viewer whenever it changes, and a turn may take all of it at once, images
   * and all, into one write and one request.
   */
  #checkRoom(text: string, attachments: readonly Attachment[]): void {
    const arriving = [...this.#saving.values()].map(({ input }) => input);
    const waiting = [...this.ports.waiting(), ...arriving.filter(({ mode }) => mode !== 'command')];
    const characters = waiting.reduce((sum, input) => sum + input.text.length, text.length);
    const images = waiting.reduce((sum, input) => sum + bytesOf(input.attachments), bytesOf(attachments));
    if (waiting.length >= MOST_WAITING || characters > MOST_CHARACTERS) {
      const what = `${waiting.length} messages wait here already`;
      throw new Failure('tooMany', 'input.queue-full', `${what}; remove some, or wait until they are taken.`);
    }
    // one without images adds nothing to them
    if (attachments.length === 0 || images <= MESSAGE_IMAGES_LIMIT) return;
    const limit = MESSAGE_IMAGES_LIMIT / 1024 / 1024;
    throw new Failure(
      'tooMany',
      'input.queue-full',
      `The images of all messages that wait here may have ${limit} MiB together; remove some, or wait until they are taken.`,
      { details: { limit } },
    );
  }

  #find(id: string): Input {
    const found = this.free().find((input) => input.id === id);
    if (!found)
      throw new Failure('notFound', 'input.gone', 'That message is not waiting any more: the agent has it.');
    return found;
  }
}

function bytesOf(images: readonly Attachment[]): number {
  return images.reduce((sum, { bytes }) => sum + bytes, 0);
}

function checkSize(text: string): void {
  if (Buffer.byteLength(text) > INPUT_LIMIT)
    throw new Failure('tooLarge', 'input.tooLarge', 'A message holds at most 1 MiB; put more into a file.');
}

function missing(id: string): never {
  throw new Failure(
    'notFound',
    'image.unknown',
    `The server does not have the image ${id} any more; remove it and attach it again.`,
    { details: { id } },
  );
}

function toItem(
  { id, text, mode, attachments, author, at, seen }: Input,
  turnId: string | null,
): UserMessage {
  return {
    // so that the one that Codex records is found to be the same
    id,
    type: 'userMessage',
    turnId,
    status: 'completed',
    startedAt: at,
    completedAt: new Date().toISOString(),
    ...{ text, attachments, author, mode, inputId: id },
    ...(seen === undefined ? {} : { seen }),
  };
}
