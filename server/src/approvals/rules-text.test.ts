import { expect, test } from 'vitest';
import { readRules } from './rules-text.ts';

/** The rules as `decision: pattern`, and the problems as `line: message`. */
function read(text: string) {
  const { rules, problems } = readRules('x.rules', text, '/home/ann');
  return {
    rules: rules.map(({ decision, pattern }) => `${decision} ${JSON.stringify(pattern)}`),
    problems: problems.map(({ line, message }) => `${line}: ${message}`),
  };
}

test.each<[string, string, string[]]>([
  ['as Codex writes it', 'prefix_rule(pattern=["touch"], decision="allow")\n', ['allow ["touch"]']],
  ['without an end of line', 'prefix_rule(pattern=["a"])', ['allow ["a"]']],
  ['allow unless it says otherwise', 'prefix_rule(pattern=["a"])', ['allow ["a"]']],
  ['with choices', 'prefix_rule(pattern=["a", ["b", "c"], ["d"]])', ['allow ["a",["b","c"],"d"]']],
  [
    'over several lines, with comments and commas at the end',
    '# ours\nprefix_rule(\n  pattern = [\n    "gh", # the tool\n    \'pr\',\n  ],\n  decision = "prompt",\n) # why\n',
    ['prompt ["gh","pr"]'],
  ],
  [
    'at the beginning of lines',
    'prefix_rule(\npattern=["a"],\ndecision="forbidden"\n)\nprefix_rule(pattern=["b"])',
    ['forbidden ["a"]', 'allow ["b"]'],
  ],
  [
    'two in a line',
    'prefix_rule(pattern=["a"]); prefix_rule(pattern=["b"]);',
    ['allow ["a"]', 'allow ["b"]'],
  ],
  ['by position', 'prefix_rule(["a"], "prompt")', ['prompt ["a"]']],
  [
    'with texts of all kinds',
    `prefix_rule(pattern=['''a''', """b "c"\nd""", r'\\n', "\\x41\\u00e9\\101\\t\\\\\\"\\\n"])`,
    ['allow ["a","b \\"c\\"\\nd","\\\\n","AéA\\t\\\\\\""]'],
  ],
  [
    'with a BOM and CRLF',
    '\ufeffprefix_rule(\r\n pattern=["a"],\r\n)\r\nprefix_rule(pattern=["b"])\r\n',
    ['allow ["a"]', 'allow ["b"]'],
  ],
  [
    'below a text that is a comment',
    '"""\nprefix_rule(pattern=["a"])\n"""\nprefix_rule(pattern=["b"])',
    ['allow ["b"]'],
  ],
  [
    'beside what is not about commands',
    'network_rule(host="a.b", protocol="https", decision="allow")\nhost_executable(name="git", paths=["/opt/git", "~/bin/git"])\n',
    [],
  ],
  ['with a reviewer', 'prefix_rule(pattern=["a"], decision="prompt", reviewer="user")', ['prompt ["a"]']],
  [
    'with examples that hold',
    'prefix_rule(pattern=["git", ["push", "fetch"]], match=["git push origin", ["git", "fetch"], "/usr/bin/git push"], not_match=["git pull", "git \'push origin\'"])',
    ['allow ["git",["push","fetch"]]'],
  ],
  ['nowhere', '', []],
  ['nowhere but in comments', '# prefix_rule(pattern=["a"])', []],
])('a rule %s', (_what, text, rules) => expect(read(text)).toEqual({ rules, problems: [] }));

test('its place and its words', () => {
  const text = '\n  \nprefix_rule(pattern=["a"], justification="no é", decision="forbidden")\n';
  expect(readRules('x.rules', text, '/').rules).toEqual([
    {
      ...{
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        file: 'x.rules',
        line: 3,
        start: 4,
        end: text.length - 1,
      },
      ...{ pattern: ['a'], decision: 'forbidden', justification: 'no é' },
    },
  ]);
});

test('an id is of the place and the text', () => {
  const id = (text: string, i = 0, file = 'x.rules') => readRules(file, text, '/').rules[i]?.id;
  const rule = 'prefix_rule(pattern=["a"])\n';
  expect(id(rule)).toBe(id(`${rule}# more`));
  expect(new Set([id(rule), id(`\n${rule}`), id(rule + rule, 1), id(rule, 0, 'y.rules')]).size).toBe(4);
  expect(id('prefix_rule(pattern=["b"])')).not.toBe(id(rule));
});

/** Around what cannot be read stand two rules that can. */
const around = (text: string) => `prefix_rule(pattern=["before"])\n${text}\nprefix_rule(pattern=["after"])\n`;
const BOTH = ['allow ["before"]', 'allow ["after"]'];

test.each<[string, string, string, string[]?]>([
  ['a word', 'hello', '2: it is no rule'],
  ['a sign', '%', '2: "%" has no place here'],
  ['an emoji', '🚀', '2: "🚀" has no place here'],
  ['an assignment', 'x = ["a"]', '2: it is no rule'],
  ['a function nobody knows', 'allow_all(pattern=["a"])', '2: allow_all is not known here'],
  ['load', 'load("//x.star", "prefix_rule")', '2: load is not known here'],
  ['a rule from a name', 'prefix_rule(pattern=X)', '2: only texts in quotes and lists of them are read here'],
  [
    'None',
    'prefix_rule(pattern=["a"], decision=None)',
    '2: only texts in quotes and lists of them are read here',
  ],
  ['a sum', 'prefix_rule(pattern=["a" + "b"])', '2: "+" has no place here'],
  ['no pattern', 'prefix_rule(decision="allow")', '2: pattern must be a list of words'],
  ['an empty pattern', 'prefix_rule(pattern=[])', '2: pattern must be a list of words'],
  ['a pattern that is a text', 'prefix_rule(pattern="a")', '2: pattern must be a list of words'],
  [
    'an empty choice',
    'prefix_rule(pattern=["a", []])',
    '2: pattern must hold words, and lists of words to choose from',
  ],
  [
    'a choice of choices',
    'prefix_rule(pattern=[[["a"]]])',
    '2: pattern must hold words, and lists of words to choose from',
  ],
  [
    'a decision nobody knows',
    'prefix_rule(pattern=["a"], decision="allow ")',
    '2: decision must be "allow", "prompt" or "forbidden"',
  ],
  [
    'an empty justification',
    'prefix_rule(pattern=["a"], justification=" ")',
    '2: justification must be a text that is not empty',
  ],
  ['an argument nobody knows', 'prefix_rule(pattern=["a"], patern=["b"])', '2: patern is not known here'],
  ['too many arguments', 'prefix_rule(["a"], "allow", [], [], "x", "y")', '2: 5 is not known here'],
  ['an argument twice', 'prefix_rule(pattern=["a"], pattern=["b"])', '2: pattern is given twice'],
  [
    'a missing comma',
    'prefix_rule(pattern=["a"] decision="allow")',
    '2: a comma or a closing parenthesis is missing',
  ],
  [
    'a missing comma in a list',
    'prefix_rule(pattern=["a" "b"])',
    '2: a comma or a closing bracket is missing',
  ],
  [
    'something behind it',
    'prefix_rule(pattern=["a"]) or True',
    '2: something follows the closing parenthesis',
  ],
  ['a missing parenthesis', 'prefix_rule(pattern=["a"]', '2: it is not closed'],
  [
    'a missing bracket',
    'prefix_rule(\n  pattern=["a",\n  decision="allow",\n)',
    '4: only texts in quotes and lists of them are read here',
  ],
  [
    'a missing quote',
    'prefix_rule(\n  pattern=["a, "b"],\n  decision="allow",\n)',
    '3: the string is not closed',
  ],
  ['an unknown escape', 'prefix_rule(pattern=["\\q"])', '2: the string holds an unknown escape'],
  [
    'an example that does not match',
    'prefix_rule(pattern=["a"], match=["b"])',
    '2: its example "b" does not match',
  ],
  [
    'an example that matches',
    'prefix_rule(pattern=["a"], not_match=["a c"])',
    '2: its example "a c" matches',
  ],
  [
    'an example with an open quote',
    'prefix_rule(pattern=["a"], match=["a \'b"])',
    '2: an example in match or not_match is no command',
  ],
  [
    'an empty example',
    'prefix_rule(pattern=["a"], match=[[]])',
    '2: an example in match or not_match is no command',
  ],
  ['a host that is a path', 'host_executable(name="a/b", paths=[])', '2: name must be the name of a program'],
  [
    'a host elsewhere',
    'host_executable(name="git", paths=["git"])',
    '2: git is no absolute path of a program named git',
  ],
  [
    'a host of another name',
    'host_executable(name="git", paths=["/bin/gti"])',
    '2: /bin/gti is no absolute path of a program named git',
  ],
])('%s is told, allows nothing, and leaves the rest', (_what, text, problem) => {
  expect(read(around(text))).toEqual({ rules: BOTH, problems: [problem] });
});

test.each([
  ['in a branch', 'if False:\n  prefix_rule(pattern=["a"])'],
  ['in a function', 'def f():\n  prefix_rule(pattern=["a"])'],
  ['in a branch of one line', 'if False: pass; prefix_rule(pattern=["a"])'],
  ['in a branch of a continued line', 'if False: \\\nprefix_rule(pattern=["a"])'],
  ['indented', '  prefix_rule(pattern=["a"])'],
  ['in a comment of several lines', "'''\nprefix_rule(pattern=['a'])\n'''"],
  ['in an assigned text', 'x = """\nprefix_rule(pattern=["a"])\n"""'],
])('what is %s is not allowed', (_what, text) => {
  expect(read(around(text)).rules).toEqual(BOTH);
});

test('what follows a text that nobody closed allows nothing, and forbids what it forbids', () => {
  const text =
    'prefix_rule(pattern=["a"])\nx = """\nprefix_rule(pattern=["b"])\nprefix_rule(pattern=["c"], decision="forbidden")\n';
  expect(read(text)).toEqual({
    rules: ['allow ["a"]', 'forbidden ["c"]'],
    problems: [
      '2: the string is not closed',
      '3: it may be part of what stands above it, so it allows nothing',
      '4: it may be part of what stands above it, so it allows nothing',
    ],
  });
});

test('what forbids or asks counts, whatever else is wrong with it', () => {
  const text = [
    'prefix_rule(pattern=["a"], decision="forbidden", match=["b"])',
    'prefix_rule(pattern=["b"], decision="prompt", justification="")',
    'prefix_rule(pattern=["c"], decision="forbidden", why="x")',
    '  prefix_rule(pattern=["d"], decision="prompt")',
  ].join('\n');
  const { rules, problems } = read(text);
  expect(rules).toEqual(['forbidden ["a"]', 'prompt ["b"]', 'forbidden ["c"]', 'prompt ["d"]']);
  expect(problems).toHaveLength(4);
});

test('a missing character makes nothing allowed that was not', () => {
  const whole = around(
    'prefix_rule(\n  pattern=["a", ["b"]],\n  decision="forbidden",\n)\n"""\nprefix_rule(pattern=["no"])\n"""',
  );
  for (let cut = 0; cut <= whole.length; cut++) {
    // without one of them a text is no longer one, and what was in it is a rule
    if (whole[cut] === '"' && whole.slice(cut - 2, cut + 3).includes('"""')) continue;
    const { rules } = read(whole.slice(0, cut) + whole.slice(cut + 1));
    for (const rule of rules) expect(rule).not.toMatch(/^allow .*("a"|"b"|"no")/);
    readRules('x.rules', whole.slice(cut), '/');
  }
});
