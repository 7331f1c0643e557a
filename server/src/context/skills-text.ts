/** What the model is told of skills: their names, what they are good for and where they are. Pure. */
import { relative } from 'node:path';
import intro from '@tscodex/prompts/context/skills.md';
import leftOut from '@tscodex/prompts/context/skills-left-out.md';
import use from '@tscodex/prompts/context/skills-use.md';
import { escapeXml } from './environment-context.ts';
import { shortened } from './skill-file.ts';
import type { Skill } from './skills.ts';

/** Characters of the list. */
const LIST_LIMIT = 12_000;
/** Of one description, the longest with which all fit into the list. */
const DESCRIPTIONS = [1024, 400, 160];

/** null where there is none to offer. */
export function skillsText(skills: readonly Skill[]): string | null {
  const offered = skills.filter((skill) => skill.isOffered);
  if (offered.length === 0) return null;
  const roots = [...new Set(offered.map(({ root }) => root))];
  const { lines, count } = fitting(offered, roots);
  return [
    '<skills_instructions>\n## Skills',
    intro.trim(),
    ['### Skill roots', ...roots.map((root, n) => `- \`r${n}\` = \`${escapeXml(root)}\``)].join('\n'),
    ['### Available skills', ...lines].join('\n'),
    ...(count ? [leftOut.trim().replace('{count}', `${count}`)] : []),
    `### How to use skills\n${use.trim()}\n</skills_instructions>`,
  ].join('\n\n');
}

/** Shorter descriptions before fewer skills. `count`: of those left out. */
function fitting(skills: readonly Skill[], roots: readonly string[]): { lines: string[]; count: number } {
  let lines: string[] = [];
  for (const most of DESCRIPTIONS) {
    lines = skills.map((skill) => line(skill, roots, most));
    if (lengthOf(lines) <= LIST_LIMIT) return { lines, count: 0 };
  }
  const kept = lines.filter((_, n) => lengthOf(lines.slice(0, n + 1)) <= LIST_LIMIT);
  return { lines: kept, count: lines.length - kept.length };
}

/** Whoever wrote the skill speaks on this one line only: it is the developer's message that it stands in. */
function line({ name, description, path, root }: Skill, roots: readonly string[], most: number): string {
  const place = `r${roots.indexOf(root)}/${relative(root, path)}`;
  return `- ${escapeXml(name)}: ${escapeXml(shortened(description, most))} (file: ${escapeXml(place)})`;
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + length + 1, 0);
}
