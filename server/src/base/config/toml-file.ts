/** A TOML file of the configuration: read and parsed; what is wrong with it is told with its place. */
import { parse, TomlError } from 'smol-toml';
import { Failure, messageOf } from '../errors.ts';
import { type NotReadable, readRegularFile } from '../regular-file.ts';
import { TomlPlaces } from './toml-places.ts';

export type TomlFile = { file: string; places: TomlPlaces; table: Readonly<Record<string, unknown>> };

const WHY: Record<Exclude<NotReadable, 'large'>, string> = {
  directory: 'it is a directory',
  special: 'it is not a regular file',
};

/** `limit` in bytes. null when there is no such file. Throws `config.unreadable` and `config.encoding`. */
export async function readTomlText(file: string, limit: number): Promise<string | null> {
  const bytes = await readRegularFile(file, limit).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw unreadable(file, messageOf(error), error);
  });
  if (bytes === null) return null;
  if (bytes === 'large') throw unreadable(file, `it is larger than ${limit / 1024} KiB`);
  if (typeof bytes === 'string') throw unreadable(file, WHY[bytes]);
  return decoded(file, bytes);
}

/** Throws `config.syntax`. */
export function parseToml(file: string, text: string): TomlFile {
  const places = new TomlPlaces(text);
  try {
    return { file, places, table: parse(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    const [first = ''] = error.message.split('\n');
    const key = places.keyOn(line);
    const reason = first.replace(/^Invalid TOML document: /, '');
    throw new Failure(
      'invalid',
      'config.syntax',
      `${file}:${line}:${column}: ${key === undefined ? '' : `${key}: `}${reason}`,
      { details: { file, line, column, key, reason }, cause: error },
    );
  }
}

/** Without the byte order mark that some editors put first. */
function decoded(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Failure('invalid', 'config.encoding', `${file}: it is not UTF-8 text`, {
      details: { file },
      cause,
    });
  }
}

function unreadable(file: string, reason: string, cause?: unknown): Failure {
  const message = `${file}: cannot be read: ${reason}`;
  return new Failure('invalid', 'config.unreadable', message, { details: { file, reason }, cause });
}
