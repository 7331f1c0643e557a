import { expect, test } from 'vitest';
import { serverFiles } from './server-files.ts';

test('what flags and systemd name is secret, the list stays as it is', () => {
  const flags = { config: 'conf/my.toml', passwordFile: '/etc/tscodex/password' };
  const from = { cwd: '/srv', env: { CREDENTIALS_DIRECTORY: '/run/credentials/tscodex' } };
  expect(serverFiles(flags, from, '/srv/workspaces.json', ['/srv/conf/p.config.toml'])).toEqual({
    secret: [
      ...['/etc/tscodex/password', '/srv/conf/my.toml', '/srv/conf/.env', '/srv/conf/p.config.toml'],
      '/run/credentials/tscodex',
    ],
    kept: ['/srv/workspaces.json'],
  });
});

test('without any of them only the list counts', () => {
  const flags = { config: undefined, passwordFile: undefined };
  expect(serverFiles(flags, { cwd: '/srv', env: {} }, '/l.json', [])).toEqual({
    secret: [],
    kept: ['/l.json'],
  });
});
