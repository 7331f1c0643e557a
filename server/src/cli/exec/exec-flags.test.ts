import { expect, test } from 'vitest';
import { parseExec } from './exec-flags.ts';

test('the words of an SDK that is made for codex are taken', () => {
  const words = [
    ...[
      '--experimental-json',
      '--config',
      'model_reasoning_effort="high"',
      '--model',
      'm',
      '--thread-source',
      'sdk',
    ],
    ...[
      '--sandbox',
      'read-only',
      '--cd',
      '/w',
      '--add-dir',
      '/a',
      '--add-dir',
      '/b',
      '--skip-git-repo-check',
    ],
    ...['--output-schema', '/s.json', 'resume', '01a22a5e'],
  ];
  expect(parseExec(words)).toEqual({
    ...{ resume: { id: '01a22a5e' }, prompt: null, json: true, lastMessageFile: undefined },
    ...{
      schemaFile: '/s.json',
      model: 'm',
      overrides: ['model_reasoning_effort="high"'],
      profile: undefined,
    },
    ...{ sandbox: 'read-only', cd: '/w', addDirs: ['/a', '/b'], stateDir: undefined, images: [] },
  });
});

test.each([
  [['hello'], { prompt: 'hello', resume: null, json: false }],
  [['-'], { prompt: null }],
  [[], { prompt: null, resume: null }],
  [['resume', '--last', 'go on'], { resume: 'last', prompt: 'go on' }],
  [['resume', 'ID', 'go on', '--json'], { resume: { id: 'ID' }, prompt: 'go on', json: true }],
  [['-i', 'a.png,b.png', '--image', 'c.png', 'see'], { images: ['a.png', 'b.png', 'c.png'], prompt: 'see' }],
  [['resume', 'ID', '--image', 'a.png'], { images: ['a.png'], prompt: null }],
  [['--color', 'never', 'x'], { prompt: 'x' }],
  [['--dangerously-bypass-approvals-and-sandbox', 'x'], { sandbox: 'danger-full-access' }],
  [
    ['-m', 'x', '-o', 'f', '-C', 'd', '-p', 'prof', 'y'],
    { model: 'x', lastMessageFile: 'f', cd: 'd', profile: 'prof' },
  ],
])('%j', (words, expected) => {
  expect(parseExec(words)).toMatchObject(expected);
});

test.each([
  [['two', 'words'], '"words" is one word too many: write the prompt in quotes'],
  [['--last', 'x'], '--last goes with resume: tscodex exec resume --last PROMPT'],
  [['resume'], 'resume needs the id of a session, or --last'],
  [
    ['--sandbox', 'none', 'x'],
    '--sandbox none: choose one of read-only, workspace-write, danger-full-access',
  ],
  [['--ask-for-approval', 'never', 'x'], /^--ask-for-approval is unknown; did you mean /],
  [['--color', 'red', 'x'], '--color red: choose one of always, never, auto'],
  [['-i', 'a,b,c,d,e,f,g,h,i', 'x'], '--image: 9 images, and one message takes 8'],
  [['--ephemeral', 'x'], '--ephemeral is not taken here: each run leaves its conversation in CODEX_HOME'],
  [['-z', 'x'], '-z is unknown; see tscodex exec --help'],
  [['-m', '--json'], '-m needs a value'],
])('%j is refused in one sentence', (words, sentence) => {
  expect(() => parseExec(words)).toThrow(sentence);
});

test('--help asks for help', () => {
  expect(parseExec(['--help'])).toBeNull();
});
