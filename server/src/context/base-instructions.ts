/** Who the agent is and how it works: what users say instead, else our own words. */
import base from '@tscodex/prompts/base.md';
import friendly from '@tscodex/prompts/personality/friendly.md';
import pragmatic from '@tscodex/prompts/personality/pragmatic.md';
import type { Instructions } from '../base/config/config.ts';
import { Failure } from '../base/errors.ts';
import { ContextFiles } from './context-files.ts';

/** Bytes of a file of instructions. */
const FILE_LIMIT = 512 * 1024;

/** What is added to our own words; other names of Codex's mean nothing beside them. */
const PERSONALITIES: Readonly<Record<string, string>> = { friendly, pragmatic };

/**
 * The command line's, else the configuration's own text, else the file it names, else ours. Throws
 * `config.instructions` for a file that cannot be read or says nothing: without it the agent would be another one.
 */
export async function baseInstructions(from: Instructions): Promise<string> {
  if (from.override !== undefined) return from.override;
  if (from.base !== undefined) return from.base;
  if (from.file !== undefined) return fileText(from.file);
  const { personality = '' } = from;
  const more = Object.hasOwn(PERSONALITIES, personality) ? PERSONALITIES[personality] : undefined;
  return [base, ...(more ? [more] : [])].map((text) => text.trim()).join('\n\n');
}

async function fileText(path: string): Promise<string> {
  // the user who starts this server has named it
  const read = await new ContextFiles(() => true).read(path, FILE_LIMIT);
  if (!read) throw unusable(path, 'there is no such file');
  if ('why' in read) throw unusable(path, read.why);
  const { text, bytes, isCut } = read.file;
  if (isCut) throw unusable(path, `it has ${bytes} bytes, and ${FILE_LIMIT} is the limit`);
  return text.trim() || refuseBlank(path);
}

function refuseBlank(path: string): never {
  throw unusable(path, 'it is empty');
}

function unusable(path: string, why: string): Failure {
  const message = `The file of model_instructions_file, ${path}, cannot be used: ${why}. Mend it, or take the line out of config.toml.`;
  return new Failure('invalid', 'config.instructions', message, { details: { file: path, reason: why } });
}
