/** `skills/list`: what agents that work in these directories are offered. */
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { isWithin } from '../../base/paths.ts';
import { ContextFiles } from '../../context/context-files.ts';
import { type Skill, SkillReader } from '../../context/skills.ts';

export const skillsParams = z.object({ cwds: z.array(z.string()).max(100).nullish() });

/** Read as whoever asks: the client has started this program itself. */
const anything = () => true;

export async function listSkills(
  cwds: readonly string[],
  { codexHome, here }: { codexHome: string; here: string },
) {
  const reader = new SkillReader(new ContextFiles(anything), anything);
  const data = [];
  for (const cwd of cwds.length > 0 ? cwds : [here]) {
    const { skills, problems } = await reader.find({ codexHome, cwd: resolve(here, cwd) });
    const errors = problems.map(({ path, why }) => ({ path, message: why }));
    data.push({ cwd, skills: skills.map((skill) => skillOf(skill, codexHome)), errors });
  }
  return { data };
}

function skillOf({ name, description, path, root }: Skill, codexHome: string) {
  const own = join(codexHome, 'skills');
  const scope = isWithin(root, join(own, '.system')) ? 'system' : isWithin(root, own) ? 'user' : 'repo';
  return { name, description, path, scope, enabled: true, pluginId: null };
}
