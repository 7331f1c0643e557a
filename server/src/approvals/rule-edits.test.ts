import { expect, test } from 'vitest';
import { ruleLine, withoutStatement } from './rule-edits.ts';
import { readRules } from './rules-text.ts';

test('a rule is written as Codex writes it', () => {
  expect(ruleLine(['echo', 'Hello, "world"!\n', 'é🚀\\'])).toBe(
    'prefix_rule(pattern=["echo", "Hello, \\"world\\"!\\n", "é🚀\\\\"], decision="allow")',
  );
  const [rule] = readRules('x.rules', ruleLine(['a b', '"', '\\n', '\n\t\u0001é🚀']), '/').rules;
  expect(rule?.pattern).toEqual(['a b', '"', '\\n', '\n\t\u0001é🚀']);
});

const RULE = 'prefix_rule(pattern=["a"])';

test.each([
  [`${RULE}\n`, ''],
  [RULE, ''],
  [`# one\n${RULE}\n# two\n`, '# one\n# two\n'],
  [`# one\r\n${RULE}\r\n# two\r\n`, '# one\r\n# two\r\n'],
  [`# one\n${RULE} # why\n`, '# one\n # why\n'],
  ['# one\nprefix_rule(\n  pattern = ["a"],\n)\n\n# two', '# one\n\n# two'],
  [`x();${RULE}\n`, 'x()\n'],
  [`x(); ${RULE}; y()\n`, 'x(); y()\n'],
  [`${RULE}; y()`, 'y()'],
  [`${RULE};\ny()`, 'y()'],
  [`\ufeff${RULE}\ny()`, '\ufeff\ny()'],
])('%j without its rule is %j', (text, rest) => {
  const [rule] = readRules('x.rules', text, '/').rules;
  expect(rule && withoutStatement(text, rule)).toBe(rest);
});
