import { expect, test } from 'vitest';
import { nativeTools, type ToolChoice, toolNames } from './registry.ts';

const ALL: ToolChoice = { toolset: null, disabledTools: [] };
const freeform = () => nativeTools({ toolStyle: 'freeform' }, ALL);

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
  const shown = freeform().map(({ spec }) => [
    spec.name,
    spec.type === 'function' ? parameterNames(spec.parameters) : spec.format.syntax,
  ]);
  expect(shown.map(([name]) => name)).toEqual([
    'exec_command',
    'write_stdin',
    'clock',
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
  for (const { spec } of [...freeform(), ...nativeTools({ toolStyle: 'function' }, ALL)])
    expect(spec.description.length).toBeGreaterThan(40);
});

test('the grammar of patches reaches the model as it is written', () => {
  const spec = freeform().find((tool) => tool.spec.name === 'apply_patch')?.spec;
  const lines = spec?.type === 'custom' ? spec.format.definition.split('\n') : [];
  expect(lines).toContain('change_line: ("+" | "-" | " ") /(.*)/ LF');
  expect(lines).toContain('add_line: "+" /(.*)/ LF -> line');
  expect(lines).toHaveLength(20);
});

test('to a model that knows functions alone every tool is one', () => {
  const specs = nativeTools({ toolStyle: 'function' }, ALL).map(({ spec }) => spec);
  expect(specs.map(({ type }) => type)).toEqual(specs.map(() => 'function'));
  const patch = specs.find(({ name }) => name === 'apply_patch');
  expect(patch?.type === 'function' && parameterNames(patch.parameters)).toEqual(['input']);
});

test('the configuration chooses the tools and their order', () => {
  const names = (choice: Partial<ToolChoice>) =>
    nativeTools({ toolStyle: 'function' }, { ...ALL, ...choice }).map(({ name }) => name);
  expect(names({})).toEqual(toolNames());
  expect(names({ toolset: ['view_image', 'exec_command', 'nonsense'] })).toEqual([
    'view_image',
    'exec_command',
  ]);
  expect(names({ toolset: [] })).toEqual([]);
  expect(names({ disabledTools: ['exec_command'] })).not.toContain('exec_command');
  expect(names({ toolset: ['exec_command'], disabledTools: ['exec_command'] })).toEqual([]);
});

test('a model that takes no images is offered none', () => {
  const names = (images?: boolean) =>
    nativeTools({ toolStyle: 'function', ...(images !== undefined && { images }) }, ALL).map(
      ({ name }) => name,
    );
  expect(names(false)).not.toContain('view_image');
  expect(names(true)).toEqual(names());
});
