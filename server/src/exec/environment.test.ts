import { describe, expect, test } from 'vitest';
import type { EnvironmentPolicy } from '../base/config/config.ts';
import { commandEnvironment, withMarker } from './environment.ts';

/** Always there: nothing waits for a person. */
const UNATTENDED = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  GH_PAGER: 'cat',
  AWS_PAGER: 'cat',
  EDITOR: 'cat',
  VISUAL: 'cat',
  GIT_EDITOR: 'cat',
  GIT_SEQUENCE_EDITOR: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
};
const ALWAYS = { LANG: 'C.UTF-8', ...UNATTENDED };

/** What leads to agents, changes what programs are, or belongs to the server. */
const NEVER = {
  SSH_AUTH_SOCK: '/s',
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/s',
  XDG_RUNTIME_DIR: '/run/user/1',
  GPG_AGENT_INFO: '/s',
  TMUX: '/s,1,0',
  DISPLAY: ':0',
  LD_PRELOAD: '/evil.so',
  NODE_OPTIONS: '--inspect',
  BASH_ENV: '/evil',
  ENV: '/evil',
  GIT_DIR: '/elsewhere',
  GIT_CONFIG_COUNT: '1',
  'BASH_FUNC_ls%%': '() { evil; }',
  TSCODEX_EXEC: 'of another server',
  PWD: '/of/the/server',
  _: '/usr/bin/node',
};

const SECRETS = {
  OPENAI_API_KEY: 'k',
  github_token: 't',
  Db_Password: 'p',
  AWS_CREDENTIALS: 'c',
  NPM_AUTH: 'a',
  MY_SECRET_NAME: 's',
};

const SERVER = {
  HOME: '/home/x',
  PATH: '/bin',
  LC_ALL: 'de_DE.UTF-8',
  LC_MY_SECRET: 's',
  EDITOR: 'vi',
  OTHER: 'o',
  https_proxy: 'http://proxy:3128',
  HTTP_PROXY: 'http://me:secret@proxy:3128',
  ...NEVER,
  ...SECRETS,
};

const CORE = { HOME: '/home/x', PATH: '/bin', LC_ALL: 'de_DE.UTF-8', https_proxy: 'http://proxy:3128' };

function environment(policy: Partial<EnvironmentPolicy>): Record<string, string> {
  const usual = { inherit: 'core', secrets: false, exclude: [], set: {}, includeOnly: [] } as const;
  return commandEnvironment(SERVER, { ...usual, ...policy });
}

describe('what commands inherit', () => {
  test('the core: what is not on the list stays behind, secrets above all', () => {
    expect(commandEnvironment(SERVER)).toEqual({ ...ALWAYS, ...CORE });
    expect(environment({})).toEqual({ ...ALWAYS, ...CORE });
  });

  test('all: everything but what looks like a secret, leads to an agent or changes what runs', () => {
    expect(environment({ inherit: 'all' })).toEqual({ ...ALWAYS, ...CORE, OTHER: 'o' });
  });

  test('all with secrets: still no agents', () => {
    const { HTTP_PROXY, LC_MY_SECRET } = SERVER;
    const all = { ...ALWAYS, ...CORE, OTHER: 'o', HTTP_PROXY, LC_MY_SECRET, ...SECRETS };
    expect(environment({ inherit: 'all', secrets: true })).toEqual(all);
  });

  test('none', () => {
    expect(environment({ inherit: 'none' })).toEqual(ALWAYS);
    expect(environment({ inherit: 'none', set: { PATH: '/only' } })).toEqual({ ...ALWAYS, PATH: '/only' });
  });

  test('what is excluded, by patterns in any case', () => {
    const { HOME, PATH, https_proxy } = CORE;
    const left = { ...ALWAYS, HOME, PATH, https_proxy };
    expect(environment({ inherit: 'all', exclude: ['lc_*', 'O?HER'] })).toEqual(left);
    // neither half a name nor a pattern's other characters mean anything
    expect(environment({ exclude: ['OME', 'P.TH', '[A-Z]*', 'HOME?'] })).toEqual({ ...ALWAYS, ...CORE });
  });

  test('what is set passes whatever it is called, and is not excluded', () => {
    const set = { API_TOKEN: 'wanted', GIT_DIR: '/wanted', PAGER: 'less', HOME: '/other' };
    expect(environment({ set, exclude: ['HOME'] })).toEqual({ ...ALWAYS, ...CORE, ...set });
  });

  test('include_only comes last, over what is set too', () => {
    const set = { A1: '1', B1: '1' };
    expect(environment({ set, includeOnly: ['PATH', 'a?'] })).toEqual({ ...ALWAYS, PATH: '/bin', A1: '1' });
  });
});

test('each command carries the marker and a terminal type that fits', () => {
  expect(withMarker({ A: '1' }, 'm', false)).toEqual({ A: '1', TERM: 'dumb', TSCODEX_EXEC: 'm' });
  expect(withMarker({}, 'm', true).TERM).toBe('xterm-256color');
});
