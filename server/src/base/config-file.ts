/**
 * Codex's `config.toml`: read, checked, laid under its profile. Keys this program does not know are Codex's own
 * business and ignored.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import * as z from 'zod';
import { type Settings, settings } from './config-schema.ts';
import { Failure, messageOf } from './errors.ts';

/**
 * The settings of `file`, those of the profile on top. A file that does not exist is empty unless `required`.
 * A profile is `NAME.config.toml` beside the file, else `[profiles.NAME]` in it.
 * Throws `Failure` (`config.missing`, `config.syntax`, `config.type`, `config.profile`).
 */
export function readSettings(file: string, options: { required: boolean; profile?: string }): Settings {
  const table = readToml(file);
  if (!table && options.required)
    throw new Failure('invalid', 'config.missing', `${file}: there is no such config file`);
  const base = checked(file, settings, table ?? {});
  if (options.profile === undefined) return base;
  return { ...base, ...readProfile(file, table ?? {}, options.profile) };
}

function readProfile(file: string, table: Record<string, unknown>, profile: string): Settings {
  const own = join(dirname(file), `${profile}.config.toml`);
  // a name that is no plain file name could lead out of the folder
  const beside = basename(profile) === profile ? readToml(own) : null;
  if (beside) return checked(own, settings, beside);
  const profiles = checked(file, z.object({ profiles: z.record(z.string(), z.unknown()).optional() }), table);
  if (profiles.profiles && Object.hasOwn(profiles.profiles, profile))
    return checked(file, settings, profiles.profiles[profile], ['profiles', profile]);
  throw new Failure(
    'invalid',
    'config.profile',
    `unknown profile ${JSON.stringify(profile)}: there is neither ${own} nor [profiles.${profile}] in ${file}`,
  );
}

/** null when the file does not exist. */
function readToml(file: string): Record<string, unknown> | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Failure('invalid', 'config.unreadable', `${file}: cannot be read: ${messageOf(error)}`);
  }
  return parseToml(file, bytes);
}

function parseToml(file: string, bytes: Buffer): Record<string, unknown> {
  try {
    // a TextDecoder drops the byte order mark that some editors put first
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const place = error instanceof TomlError ? `${file}:${error.line}:${error.column}` : file;
    const [reason] = messageOf(error).split('\n');
    throw new Failure(
      'invalid',
      'config.syntax',
      `${place}: ${reason?.replace(/^Invalid TOML document: /, '')}`,
      { cause: error },
    );
  }
}

function checked<S extends z.ZodType>(
  file: string,
  schema: S,
  value: unknown,
  within: PropertyKey[] = [],
): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map(
    (issue) => `${[...within, ...issue.path].join('.')}: ${issue.message}`,
  );
  throw new Failure('invalid', 'config.type', `${file}: ${faults.join('; ')}`);
}
