/**
 * The images of a workspace: those people send and those its agents looked at. Each is a file,
 * `attachments/<workspace>/<id>` in the state directory, and a row that says what it is; it never changes. There
 * is no row without its file.
 */
import { createHash } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Attachment } from '@tscodex/shared/items';
import { IMAGE_LIMIT } from '@tscodex/shared/limits';
import { v7 as uuid } from 'uuid';
import { syncDirectory } from '../../base/atomic-file.ts';
import type { Database } from '../../base/database.ts';
import { Failure, messageOf } from '../../base/errors.ts';
import { imageFacts } from '../../base/image-facts.ts';
import { makeDirectory } from '../../base/make-directory.ts';
import { attachmentName } from './attachment-name.ts';
import { hasExpired, sweepAttachments } from './attachment-sweep.ts';

type Row = {
  id: string;
  name: string;
  media_type: string;
  bytes: number;
  width: number;
  height: number;
};

/** Images of one workspace that were put up and not sent. */
const MOST_UNUSED = 200;
/** Bytes of all images of a workspace. */
const SPACE_LIMIT = 2 * 1024 * 1024 * 1024;

export class Attachments {
  readonly #dir: string;

  constructor(
    private readonly db: Database,
    private readonly stateDir: string,
    private readonly workspaceId: string,
  ) {
    this.#dir = join(stateDir, 'attachments', workspaceId);
  }

  /** null for an id that this workspace does not have. */
  find(id: string): Attachment | null {
    const [row] = this.db.read<Row>(
      'SELECT * FROM attachments WHERE id = ? AND workspace_id = ?',
      ...[id, this.workspaceId],
    );
    return row ? toAttachment(row) : null;
  }

  /** Where the bytes are. */
  path(id: string): string {
    return join(this.#dir, id);
  }

  /** null where somebody has taken the file away. */
  async read({ id }: Attachment): Promise<Buffer | null> {
    return readFile(this.path(id)).catch(() => null);
  }

  /**
   * Keeps an image that arrives, on disk when this resolves; it is swept unless a message uses it. Throws
   * `image.tooLarge`, `image.type`, `image.broken`, `image.pixels`, `image.tooMany`, `image.space`,
   * `image.write`; nothing is left behind then.
   */
  async receive(arriving: AsyncIterable<Uint8Array>, name: string): Promise<Attachment> {
    await this.#checkUnused();
    this.#checkSpace();
    return this.#keep(arriving, name, null);
  }

  /** Keeps what an agent looked at; the same picture again is the same image. Throws as `receive`. */
  async keep(bytes: Buffer, name: string): Promise<Attachment> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const known = await this.#known(sha256);
    if (known) return { ...known, name: attachmentName(name, known.mediaType) };
    this.#checkSpace();
    return this.#keep(Readable.from([bytes]), name, sha256);
  }

  async #known(sha256: string): Promise<Attachment | null> {
    const [row] = this.db.read<Row>(
      'SELECT * FROM attachments WHERE workspace_id = ? AND sha256 = ? AND used > 0',
      ...[this.workspaceId, sha256],
    );
    // somebody may have taken the file away
    const file = row && (await stat(this.path(row.id)).catch(() => null));
    return row && file ? toAttachment(row) : null;
  }

  /** `sha256`: of what is in use at once. */
  async #keep(
    arriving: AsyncIterable<Uint8Array>,
    givenName: string,
    sha256: string | null,
  ): Promise<Attachment> {
    const id = uuid();
    const part = `${this.path(id)}.part`;
    try {
      makeDirectory(this.#dir, 0o700);
      const bytes = await writeBounded(part, arriving, givenName);
      const { mediaType, width, height } = imageFacts(await readFile(part), shownName(givenName));
      const name = attachmentName(givenName, mediaType);
      await rename(part, this.path(id));
      await syncDirectory(this.#dir);
      const attachment: Attachment = { id, name, mediaType, bytes, width, height };
      await this.#insert(attachment, sha256);
      return attachment;
    } catch (error) {
      await rm(part, { force: true });
      await rm(this.path(id), { force: true });
      throw error instanceof Failure ? error : unwritten(this.#dir, error);
    }
  }

  #insert({ id, name, mediaType, bytes, width, height }: Attachment, sha256: string | null): Promise<void> {
    return this.db.write(
      `INSERT INTO attachments
         (id, workspace_id, name, media_type, bytes, width, height, created_at, used, sha256)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[id, this.workspaceId, name, mediaType, bytes, width ?? 0, height ?? 0],
      ...[new Date().toISOString(), sha256 === null ? 0 : 1, sha256],
    );
  }

  async #checkUnused(): Promise<void> {
    if (this.#unused() < MOST_UNUSED) return;
    if (hasExpired(this.db)) await sweepAttachments(this.db, this.stateDir);
    if (this.#unused() < MOST_UNUSED) return;
    const what = `${MOST_UNUSED} images were put up in this workspace and not sent`;
    throw new Failure('tooMany', 'image.tooMany', `${what}; send some, or wait: after a week they go.`, {
      details: { count: MOST_UNUSED },
    });
  }

  #checkSpace(): void {
    const [row] = this.db.read<{ bytes: number }>(
      'SELECT coalesce(sum(bytes), 0) AS bytes FROM attachments WHERE workspace_id = ?',
      this.workspaceId,
    );
    if ((row?.bytes ?? 0) < SPACE_LIMIT) return;
    const limit = SPACE_LIMIT / 1024 / 1024 / 1024;
    throw new Failure(
      'tooLarge',
      'image.space',
      `This workspace keeps ${limit} GiB of images, the limit. Put the image into its directory and name it in the message: the agent can look at it there.`,
      { details: { limit } },
    );
  }

  #unused(): number {
    const [row] = this.db.read<{ n: number }>(
      'SELECT count(*) AS n FROM attachments WHERE workspace_id = ? AND used = 0',
      this.workspaceId,
    );
    return row?.n ?? 0;
  }
}

/** Returns how many bytes came. */
async function writeBounded(
  path: string,
  arriving: AsyncIterable<Uint8Array>,
  name: string,
): Promise<number> {
  const handle = await open(path, 'wx', 0o600);
  try {
    let bytes = 0;
    for await (const chunk of arriving) {
      bytes += chunk.length;
      if (bytes > IMAGE_LIMIT) throw imageTooLarge(shownName(name));
      await handle.writeFile(chunk);
    }
    await handle.sync();
    return bytes;
  } finally {
    await handle.close();
  }
}

export function imageTooLarge(name: string): Failure {
  const limit = IMAGE_LIMIT / 1024 / 1024;
  return new Failure(
    'tooLarge',
    'image.tooLarge',
    `${name} is larger than ${limit} MiB, the limit for an image. Make it smaller first.`,
    { details: { name, limit } },
  );
}

function unwritten(dir: string, error: unknown): Failure {
  if ((error as NodeJS.ErrnoException).code === 'ECONNRESET')
    return new Failure('invalid', 'image.cut', 'The image broke off before all of it had come.');
  const what = `cannot keep an image in ${dir}: ${messageOf(error)}`;
  return new Failure('unavailable', 'image.write', `${what}. Make room on the disk, then try again.`, {
    cause: error,
  });
}

function shownName(name: string): string {
  return name.slice(0, 100) || 'The image';
}

function toAttachment({ id, name, media_type, bytes, width, height }: Row): Attachment {
  return { id, name, mediaType: media_type, bytes, width, height };
}
