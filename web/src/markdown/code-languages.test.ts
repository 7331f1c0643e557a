import { expect, test } from 'vitest';
import { loadOf } from './code-languages.ts';
import { CodeReader } from './code-reader.ts';

const NAMES =
  'ts tsx js jsx json jsonc html css scss vue svelte py rs go c c++ c# java kotlin swift rb php lua r sql sh bash ' +
  'powershell dockerfile makefile yaml toml ini xml md diff console graphql proto tf nix zig latex';

test('the names that fences carry lead to a grammar that Shiki takes', async () => {
  const reader = new CodeReader();
  for (const name of NAMES.split(' ')) {
    expect(loadOf(name), name).toBeDefined();
    expect(await reader.read('a = "b" # c', name), name).not.toBeNull();
  }
}, 120_000);
