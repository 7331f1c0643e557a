import { expect, test } from 'vitest';
import { patchFromShell } from './shell-patch.ts';

const patch = (line: string) => `*** Begin Patch\n*** Add File: x.txt\n+${line}\n*** End Patch`;

test.each([
  [`apply_patch <<'PATCH-1'\n${patch('ok')}\nPATCH-1\n`, { patch: patch('ok') }],
  [`apply_patch <<"EOF"\n${patch('cost is $HOME')}\nEOF`, { patch: patch('cost is $HOME') }],
  [`applypatch <<EOF\n${patch('ok')}\nEOF\n`, { patch: patch('ok') }],
  [`applypatch <<EOF\n${patch('$HOME `date`')}\nEOF\n`, { patch: patch('$HOME `date`') }],
  [`cd sub && apply_patch <<'END'\n${patch('ok')}\nEND\n`, { patch: patch('ok'), dir: 'sub' }],
  [`cd "my dir" && apply_patch << 'E'\n${patch('ok')}\nE`, { patch: patch('ok'), dir: 'my dir' }],
  [`  cd '../$a' &&apply_patch<<E\r\n${patch('ok')}\r\nE\r\n`, { patch: patch('ok'), dir: '../$a' }],
])('O-A6: finds the patch in %j', (command, expected) => {
  expect(patchFromShell(command)).toEqual(expected);
});

test.each([
  'ls',
  'apply_patch',
  `cat <<'EOF'\n${patch('ok')}\nEOF`,
  `apply_patch <<'EOF'\n${patch('ok')}\nEOF\nnpm test`,
  `apply_patch <<'EOF'\n${patch('ok')}\nEOF\nnpm test\nEOF`,
  `apply_patch <<'EOF'\n${patch('ok')}`,
  `apply_patch <<'EOF\n${patch('ok')}\nEOF`,
  `apply_patch <<'EOF' && rm -rf x\n${patch('ok')}\nEOF`,
  `cd $(pwd) && apply_patch <<'EOF'\n${patch('ok')}\nEOF`,
  `cd sub; apply_patch <<'EOF'\n${patch('ok')}\nEOF`,
])('leaves %j to the shell', (command) => {
  expect(patchFromShell(command)).toBeNull();
});

test('a long command is read in linear time', () => {
  expect(patchFromShell(`cd ${'a'.repeat(1_000_000)}`)).toBeNull();
  expect(patchFromShell(`apply_patch <<EOF\n${'E \n'.repeat(200_000)}`)).toBeNull();
});
