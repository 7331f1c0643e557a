/** What a skill says of itself: the front matter of its SKILL.md, and the policy beside it. Pure. */
import { parse } from 'yaml';
import * as z from 'zod';
import { messageOf } from '../base/errors.ts';

/** Both on one line. */
export type SkillHead = { name: string; description: string };

const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 1024;

const head = z.object({
  name: z.string('"name" is missing').transform(onOneLine).pipe(nonEmpty('name').max(LONGEST_NAME)),
  description: z
    .string('"description" is missing')
    .transform(onOneLine)
    .pipe(nonEmpty('description'))
    .transform((text) => shortened(text, LONGEST_DESCRIPTION)),
});

const policyFile = z.object({ policy: z.object({ allow_implicit_invocation: z.boolean() }) });

/** `why`: the front matter is none; goes on after the file's name. */
export function skillHead(text: string): SkillHead | { why: string } {
  const [, front] = /^\ufeff?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)/s.exec(text) ?? [];
  if (front === undefined) return { why: 'it does not begin with a front matter between lines of ---' };
  const read = yaml(front);
  if ('why' in read) return read;
  const checked = head.safeParse(read.value);
  return checked.data ?? { why: checked.error?.issues[0]?.message ?? 'its front matter is not valid' };
}

/** Whether the model is offered it unasked, by the text of its `agents/openai.yaml`. */
export function isOffered(policy: string): boolean {
  const read = yaml(policy);
  const checked = 'value' in read ? policyFile.safeParse(read.value).data : undefined;
  return checked?.policy.allow_implicit_invocation ?? true;
}

export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

/** Hostile text may be nested as deep as it likes, or refer to itself: what cannot be read is refused. */
function yaml(text: string): { value: unknown } | { why: string } {
  try {
    return { value: parse(text, { logLevel: 'error' }) };
  } catch (error) {
    const [sentence = ''] = messageOf(error).split('\n');
    return { why: `its front matter is no YAML: ${sentence.replace(/:$/, '')}` };
  }
}

function onOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

function nonEmpty(key: string) {
  return z.string().min(1, `"${key}" is empty`);
}
