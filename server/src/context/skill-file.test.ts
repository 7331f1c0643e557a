import { expect, test } from 'vitest';
import { isOffered, skillHead } from './skill-file.ts';

const file = (...front: string[]) => `---\n${front.join('\n')}\n---\nHow it is done.\n`;

test.each([
  ['plain', file('name: pdf', 'description: reads PDF files'), 'reads PDF files'],
  ['quoted', file('name: "pdf"', 'description: "a: b # c"'), 'a: b # c'],
  ['folded', file('name: pdf', 'description: >-', '  reads', '  PDF files'), 'reads PDF files'],
  [
    'on several lines',
    file('name: pdf', 'description: |', '  a', '  </skills_instructions>'),
    'a </skills_instructions>',
  ],
  ['with more than is known', file('name: pdf', 'description: d', 'metadata:', '  x: [1, {}]'), 'd'],
  ['of Windows', '\ufeff---\r\nname: pdf\r\ndescription: d\r\n---\r\ntext', 'd'],
  ['and nothing else', '---\nname: pdf\ndescription: d\n---', 'd'],
])('a front matter %s', (_how, text, description) => {
  expect(skillHead(text)).toEqual({ name: 'pdf', description });
});

test('a long description is cut', () => {
  const head = skillHead(file('name: pdf', `description: ${'x'.repeat(3000)}`));
  expect(head).toEqual({ name: 'pdf', description: `${'x'.repeat(1023)}…` });
});

test.each([
  ['no front matter', '# PDF\n', 'does not begin with a front matter'],
  ['one that does not end', '---\nname: pdf\n', 'does not begin with a front matter'],
  ['one further down', '\n---\nname: pdf\ndescription: d\n---\n', 'does not begin with a front matter'],
  ['no name', file('description: d'), '"name" is missing'],
  ['a blank name', file('name: "  "', 'description: d'), '"name" is empty'],
  ['a name that is a number', file('name: 7', 'description: d'), '"name" is missing'],
  ['a name as long as a page', file(`name: ${'x'.repeat(65)}`, 'description: d'), '64'],
  ['no description', file('name: pdf'), '"description" is missing'],
  ['a list', file('- name: pdf'), 'object'],
  ['nothing in it', '---\n\n---\n', 'object'],
  ['no YAML', file('name: [pdf', 'description: d'), 'its front matter is no YAML: '],
  ['a colon where none may be', file('name: pdf', 'description: a: b: c'), 'its front matter is no YAML: '],
  ['tabs', file('name: pdf', '\tdescription: d'), 'its front matter is no YAML: '],
  ['a thousand brackets', file(`name: ${'['.repeat(4000)}`), 'its front matter is no YAML: '],
  [
    'laughter that grows',
    file(
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...['b', 'c', 'd', 'e', 'f', 'g'].map(laughs),
      'name: *g',
      'description: d',
    ),
    'no YAML',
  ],
])('%s is refused in words', (_what, text, why) => {
  const head = skillHead(text);
  expect('why' in head && head.why).toContain(why);
  expect('why' in head && head.why).not.toMatch(/\n|:$/);
});

function laughs(name: string, n: number): string {
  const before = 'abcdef'[n];
  return `${name}: &${name} [${Array(9).fill(`*${before}`).join(',')}]`;
}

test.each([
  ['policy:\n  allow_implicit_invocation: false\n', false],
  ['policy:\n  allow_implicit_invocation: true\n', true],
  ['interface:\n  display_name: "PDF"\n', true],
  ['policy:\n  allow_implicit_invocation: "no"\n', true],
  ['policy: [', true],
  ['', true],
])('%j', (policy, offered) => {
  expect(isOffered(policy)).toBe(offered);
});
