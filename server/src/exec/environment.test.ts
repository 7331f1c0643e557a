import { expect, test } from 'vitest';
import { commandEnvironment, withMarker } from './environment.ts';

test('what is not on the list stays behind, secrets above all', () => {
  const env = commandEnvironment({
    HOME: '/home/x',
    PATH: '/bin',
    LC_ALL: 'de_DE.UTF-8',
    OPENAI_API_KEY: 'k',
    GITHUB_TOKEN: 't',
    TSCODEX_PASSWORD: 'p',
    SSH_AUTH_SOCK: '/s',
    LD_PRELOAD: '/evil.so',
    NODE_OPTIONS: '--inspect',
    BASH_ENV: '/evil',
    ENV: '/evil',
    GIT_DIR: '/elsewhere',
    'BASH_FUNC_ls%%': '() { evil; }',
    LC_MY_SECRET: 's',
    https_proxy: 'http://proxy:3128',
    HTTP_PROXY: 'http://me:secret@proxy:3128',
  });
  expect(env).toEqual({
    HOME: '/home/x',
    PATH: '/bin',
    LC_ALL: 'de_DE.UTF-8',
    LANG: 'C.UTF-8',
    https_proxy: 'http://proxy:3128',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    EDITOR: 'cat',
    VISUAL: 'cat',
    GIT_EDITOR: 'cat',
  });
});

test('each command carries the marker and a terminal type that fits', () => {
  expect(withMarker({ A: '1' }, 'm', false)).toEqual({ A: '1', TERM: 'dumb', TSCODEX_EXEC: 'm' });
  expect(withMarker({}, 'm', true).TERM).toBe('xterm-256color');
});
