import { expect, test } from 'vitest';
import { type Flags, parseFlags } from './flags.ts';

function flagsOf(...args: string[]): Flags {
  const command = parseFlags(args);
  if (command.run !== 'serve') throw new Error(`it would run ${command.run}`);
  return command.flags;
}

test('without flags: loopback, a login, the root', () => {
  expect(flagsOf()).toEqual({
    listen: { host: '127.0.0.1', port: 6007 },
    workspaceConfig: undefined,
    config: undefined,
    profile: undefined,
    overrides: [],
    systemPrompt: undefined,
    toolset: undefined,
    sandbox: undefined,
    approval: undefined,
    stateDir: undefined,
    password: undefined,
    passwordFile: undefined,
    auth: true,
    allowedHosts: [],
    publicUrl: null,
    trustProxy: false,
    basePath: '',
    logLevel: 'info',
  });
});

test('every flag is taken, with = or a space', () => {
  const flags = flagsOf(
    ...['--listen=[::1]:0', '--workspace-config', 'w.json', '--config', 'c.toml', '--profile', 'local'],
    ...['--state-dir', '/s', '--password=--secret', '--allowed-host', 'a', '--allowed-host=b'],
    ...['--public-url', 'https://box.example/x/agent/', '--trust-proxy', '--log-level', 'debug'],
    ...['--sandbox', 'read-only', '--ask-for-approval', 'untrusted'],
    ...['-c', 'model=m', '--set=a.b="c=d"', '-cx=-1', '--toolset', 'exec_command, view_image'],
    ...['--system-prompt', 'Be brief.'],
  );
  expect(flags).toMatchObject({
    listen: { host: '::1', port: 0 },
    workspaceConfig: 'w.json',
    config: 'c.toml',
    profile: 'local',
    stateDir: '/s',
    password: '--secret',
    allowedHosts: ['a', 'b'],
    basePath: '/x/agent',
    trustProxy: true,
    logLevel: 'debug',
    overrides: ['model=m', 'a.b="c=d"', 'x=-1'],
    toolset: ['exec_command', 'view_image'],
    systemPrompt: 'Be brief.',
    sandbox: 'read-only',
    approval: 'untrusted',
  });
  expect(flags.publicUrl?.origin).toBe('https://box.example');
  expect(flagsOf('--listen', ':80').listen).toEqual({ host: '127.0.0.1', port: 80 });
  expect(flagsOf('--no-auth', '--listen', 'localhost:1').auth).toBe(false);
  expect(flagsOf('--base-path', '/x/').basePath).toBe('/x');
});

test('help and version win over everything that is well formed', () => {
  expect(parseFlags(['--listen', 'x:1', '-h'])).toEqual({ run: 'help' });
  expect(parseFlags(['--version'])).toEqual({ run: 'version' });
});

test.each([
  [['--lisen', '127.0.0.1:1'], '--lisen is unknown; did you mean --listen?'],
  [['--workspace-confg=x'], '--workspace-confg is unknown; did you mean --workspace-config?'],
  [['-x'], '-x is unknown; did you mean'],
  [['--constructor'], '--constructor is unknown'],
  [['serve'], '"serve" is no flag; see --help'],
  [['--config'], '--config needs a value'],
  [['--config='], '--config needs a value'],
  [['-c'], '-c needs a value'],
  [['--toolset', ''], '--toolset needs a value'],
  [['--config', '--profile', 'x'], '--config needs a value'],
  [['--no-auth=yes'], '--no-auth takes no value'],
  [['--listen', '6007'], '--listen 6007: write HOST:PORT'],
  [['--listen', 'a:70000'], '--listen a:70000: write HOST:PORT'],
  [['--listen', '::1:80'], '--listen ::1:80: write HOST:PORT'],
  [['--public-url', 'box.example'], '--public-url box.example: write a whole URL'],
  [['--public-url', 'https://a/?token=x'], 'write a whole URL'],
  [['--base-path', 'x'], '--base-path x: write a path'],
  [['--base-path', '/a/../b'], '--base-path /a/../b: write a path'],
  [['--sandbox', 'none'], '--sandbox none: choose one of read-only, workspace-write, danger-full-access'],
  [['--ask-for-approval', 'always'], '--ask-for-approval always: choose one of untrusted'],
  [['--log-level', 'loud'], '--log-level loud: choose one of trace, debug'],
  [['--password', 'a', '--password-file', 'b'], '--password and --password-file: give one of them'],
  [['--no-auth', '--password', 'a'], '--no-auth and a password: give one of them'],
  [['--no-auth', '--listen', '0.0.0.0:1'], '--no-auth: 0.0.0.0 can be reached from other machines'],
])('%j: %s', (args, sentence) => {
  expect(() => parseFlags(args)).toThrow(sentence);
});
