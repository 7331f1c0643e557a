import { afterEach, beforeEach, expect, test } from 'vitest';
import { textOf } from '../base/response-items.ts';
import { type ContextScene, openContextScene } from './context-scene.test-support.ts';
import { namedSkills } from './skill-mentions.ts';
import { WrittenContext } from './written-context.ts';

const skill = (name: string, path = `/skills/${name}/SKILL.md`) => {
  return { name, path, description: 'd', root: '/skills', isOffered: true };
};
const skills = [
  skill('pdf'),
  skill('my-skill'),
  skill('团队'),
  skill('pdf', '/other/pdf/SKILL.md'),
  skill('a.b'),
];

test.each([
  ['$pdf please', ['pdf']],
  ['use $pdf.', ['pdf']],
  ['($my-skill, then $pdf: yes)', ['my-skill', 'pdf']],
  ['[$pdf](r0/pdf/SKILL.md)', ['pdf']],
  ['$pdf $pdf', ['pdf']],
  ['请用$团队检查，再用$pdf转换。', ['团队', 'pdf']],
  ['$a.b', ['a.b']],
  ['$PDF $pdfs $nothing', []],
  ['\\$pdf and a$pdf and $$pdf', []],
  ['pdf', []],
])('%j names %j', (text, names) => {
  expect(namedSkills(text, skills).map(({ name }) => name)).toEqual(names);
});

test('of several with one name the first is meant, and no more than a few of them', () => {
  expect(namedSkills('$pdf', skills)).toEqual([skills[0]]);
  const many = Array.from({ length: 20 }, (_, n) => skill(`s${n}`));
  expect(namedSkills(many.map(({ name }) => `$${name}`).join(' '), many)).toHaveLength(8);
});

let scene: ContextScene;
beforeEach(async () => {
  scene = await openContextScene();
});
afterEach(() => scene.remove());

async function open() {
  const { codexHome, repo: cwd } = scene;
  const context = new WrittenContext({ codexHome, cwd, instructions: {}, reads: () => () => true });
  await context.refresh();
  return context;
}

test('the model reads what the skill says, once in a turn, also where it was not offered it', async () => {
  const path = await scene.writeSkill('codex/skills/pdf', 'pdf');
  await scene.write('codex/skills/pdf/agents/openai.yaml', 'policy:\n  allow_implicit_invocation: false\n');
  const context = await open();
  expect(context.texts.skills).toBeNull();
  const named = await context.skillsNamedIn('$pdf', 'turn 1');
  expect(named.map((item) => [item.role, textOf(item)])).toEqual([
    [
      'user',
      `<skill>\n<name>pdf</name>\n<path>${path}</path>\n---\nname: pdf\ndescription: does pdf\n---\n\nHow pdf is done.\n</skill>`,
    ],
  ]);
  expect(await context.skillsNamedIn('again $pdf', 'turn 1')).toEqual([]);
  expect(await context.skillsNamedIn('$pdf', 'turn 2')).toHaveLength(1);
});

test('a skill as long as a book is cut, one that has vanished meanwhile is left out', async () => {
  await scene.writeSkill('codex/skills/book', 'book');
  await scene.write(
    'codex/skills/book/SKILL.md',
    `---\nname: book\ndescription: d\n---\n${'word '.repeat(50_000)}`,
  );
  await scene.writeSkill('codex/skills/gone', 'gone');
  const context = await open();
  await scene.removeAt('codex/skills/gone');
  const [item, ...more] = await context.skillsNamedIn('$gone $book', 'turn');
  expect(more).toEqual([]);
  const text = item ? textOf(item) : '';
  expect(text.length).toBeLessThan(50_000);
  expect(text).toMatch(
    /\[Cut here: .*SKILL\.md has 250034 bytes, and the first 49152 are above\..*\n<\/skill>$/,
  );
});
