import { expect, test } from 'vitest';
import { nativeTools } from './registry.ts';

/** A tool's parameters as the model sees them, nested ones as `parent.child`; `?` marks what may be left out. */
function parameterNames(schema: unknown, prefix = ''): string[] {
  const {
    properties = {},
    required = [],
    items,
  } = schema as {
    properties?: Record<string, unknown>;
    required?: string[];
    items?: unknown;
  };
  const nested = items === undefined ? [] : parameterNames(items, prefix);
  const own = Object.entries(properties).flatMap(([name, inner]) => [
    `${prefix}${name}${required.includes(name) ? '' : '?'}`,
    ...parameterNames(inner, `${prefix}${name}.`),
  ]);
  return [...nested, ...own];
}

test('tools and parameters carry the names of Codex', () => {
  const shown = nativeTools().map(({ spec }) => [
    spec.name,
    spec.type === 'function' ? parameterNames(spec.parameters) : spec.format.syntax,
  ]);
  expect(shown.map(([name]) => name)).toEqual([
    'exec_command',
    'write_stdin',
    'apply_patch',
    'update_plan',
    'request_user_input',
    'request_permissions',
    'view_image',
  ]);
  expect(Object.fromEntries(shown)).toMatchObject({
    exec_command: expect.arrayContaining([
      ...['cmd', 'workdir?', 'tty?', 'yield_time_ms?', 'max_output_tokens?'],
      ...['sandbox_permissions?', 'additional_permissions?', 'justification?', 'prefix_rule?'],
    ]),
    request_permissions: expect.arrayContaining(['reason?', 'permissions']),
    apply_patch: 'lark',
    update_plan: ['explanation?', 'plan', 'plan.step', 'plan.status'],
    request_user_input: [
      'questions',
      'questions.id',
      'questions.header',
      'questions.question',
      'questions.options?',
      'questions.options.label',
      'questions.options.description',
    ],
    view_image: ['path'],
  });
});

test('every tool says what it is for', () => {
  for (const { spec } of nativeTools()) expect(spec.description.length).toBeGreaterThan(40);
});

test('the grammar of patches reaches the model as it is written', () => {
  const spec = nativeTools().find((tool) => tool.spec.name === 'apply_patch')?.spec;
  const lines = spec?.type === 'custom' ? spec.format.definition.split('\n') : [];
  expect(lines).toContain('change_line: ("+" | "-" | " ") /(.*)/ LF');
  expect(lines).toContain('add_line: "+" /(.*)/ LF -> line');
  expect(lines).toHaveLength(20);
});
