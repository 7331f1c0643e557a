/**
 * Programs whose work is to run what lies in the workspace: scripts, recipes, tests. A rule about one of them allows
 * whatever an agent writes there. Pure.
 */
const RUNNERS: ReadonlySet<string> = new Set([
  ...[
    'npm',
    'npx',
    'pnpm',
    'yarn',
    'bun',
    'deno',
    'node',
    'vitest',
    'jest',
    'playwright',
    'eslint',
    'prettier',
    'vite',
    'turbo',
    'nx',
  ],
  ...[
    'make',
    'ninja',
    'cmake',
    'bazel',
    'just',
    'task',
    'mise',
    'meson',
    'tox',
    'nox',
    'pytest',
    'uv',
    'poetry',
  ],
  ...[
    'cargo',
    'go',
    'dotnet',
    'gradle',
    'gradlew',
    'mvn',
    'mvnw',
    'sbt',
    'rake',
    'bundle',
    'composer',
    'mix',
  ],
]);

/** Whether these words are about git, whose repositories have programs of their own. */
export function isAboutGit([program = '']: readonly string[]): boolean {
  return nameOf(program) === 'git';
}

/** The program of these words that runs the workspace's own code; null where none is known to. */
export function workspaceRunner([program = '', second]: readonly string[]): string | null {
  const name = nameOf(program);
  if (RUNNERS.has(name)) return second === undefined || second.startsWith('-') ? name : `${name} ${second}`;
  // a file named by its way from the working directory is one of the workspace's
  return program.includes('/') && !program.startsWith('/') ? program : null;
}

function nameOf(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}
