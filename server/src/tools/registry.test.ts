import { expect, test } from 'vitest';
import { type AgentPlace, nativeTools, type ToolChoice, toolNames } from './registry.ts';

const ALL: ToolChoice = { toolset: null, disabledTools: [], codex: { oneShot: { hasTool: true } } };
const ROOT = { isSubAgent: false, maySpawn: true };
const freeform = () => nativeTools({ toolStyle: 'freeform' }, ALL, ROOT);

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
    'spawn_agent',
    'send_input',
    'resume_agent',
    'wait_agent',
    'close_agent',
    'subagent_codex',
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
  for (const { spec } of [...freeform(), ...nativeTools({ toolStyle: 'function' }, ALL, ROOT)])
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
  const specs = nativeTools({ toolStyle: 'function' }, ALL, ROOT).map(({ spec }) => spec);
  expect(specs.map(({ type }) => type)).toEqual(specs.map(() => 'function'));
  const patch = specs.find(({ name }) => name === 'apply_patch');
  expect(patch?.type === 'function' && parameterNames(patch.parameters)).toEqual(['input']);
});

test('the configuration chooses the tools and their order', () => {
  const names = (choice: Partial<ToolChoice>) =>
    nativeTools({ toolStyle: 'function' }, { ...ALL, ...choice }, ROOT).map(({ name }) => name);
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
    nativeTools({ toolStyle: 'function', ...(images !== undefined && { images }) }, ALL, ROOT).map(
      ({ name }) => name,
    );
  expect(names(false)).not.toContain('view_image');
  expect(names(true)).toEqual(names());
});

test('an agent that another has started works, and starts others only where it may', () => {
  const names = (place: AgentPlace, choice: Partial<ToolChoice> = {}) =>
    nativeTools({ toolStyle: 'function' }, { ...ALL, ...choice }, place).map(({ name }) => name);
  const working = ['exec_command', 'write_stdin', 'apply_patch', 'update_plan', 'view_image'];
  const starting = [
    ...['spawn_agent', 'send_input', 'resume_agent', 'wait_agent', 'close_agent', 'subagent_codex'],
  ];
  expect(names({ isSubAgent: true, maySpawn: false })).toEqual(working);
  expect(names({ isSubAgent: true, maySpawn: true })).toEqual([...working, ...starting]);
  expect(names({ isSubAgent: false, maySpawn: false })).toEqual(
    toolNames().filter((name) => !starting.includes(name)),
  );
  const small = nativeTools({ toolStyle: 'function', contextWindow: 8000 }, ALL, ROOT);
  expect(small.map(({ name }) => name)).toEqual(toolNames().filter((name) => !starting.includes(name)));
  const asked = { toolset: ['spawn_agent', 'clock', 'exec_command'] };
  expect(names({ isSubAgent: true, maySpawn: false }, asked)).toEqual(['exec_command']);
});

test('a tool for Codex alone is there where the configuration has its table, or names it', () => {
  const names = (choice: Partial<ToolChoice>) =>
    nativeTools({ toolStyle: 'function' }, { ...ALL, ...choice }, ROOT).map(({ name }) => name);
  const codex = { oneShot: { hasTool: false } };
  expect(names({ codex })).toEqual(toolNames().filter((name) => name !== 'subagent_codex'));
  expect(names({ codex, toolset: ['subagent_codex'] })).toEqual(['subagent_codex']);
});
