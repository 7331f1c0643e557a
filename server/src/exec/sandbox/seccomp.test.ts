import { expect, test } from 'vitest';
import { seccompFilter } from './seccomp.ts';

const CALL = {
  x64: { arch: 0xc000003e, socket: 41, read: 0, keyctl: 250, clone: 56, clone3: 435, ioctl: 16 },
};
const ARM = { arch: 0xc00000b7, socket: 198, read: 63, keyctl: 219, clone: 220, clone3: 435, ioctl: 29 };

const ALLOWED = 'allowed';
const KILLED = 'killed';

/** Runs the program as the kernel does: what becomes of the call. */
function outcome(filter: Buffer, call: { arch: number; number: number; arguments?: number[] }): string {
  const words: Record<number, number> = { 0: call.number, 4: call.arch };
  for (const [i, argument] of (call.arguments ?? []).entries()) words[16 + 8 * i] = argument;
  let loaded = 0;
  for (let at = 0; ; at++) {
    const operand = filter.readUInt32LE(at * 8 + 4);
    const jump = (holds: boolean) => filter.readUInt8(at * 8 + (holds ? 2 : 3));
    const code = filter.readUInt16LE(at * 8);
    if (code === 0x20) loaded = words[operand] ?? 0;
    else if (code === 0x15) at += jump(loaded === operand);
    else if (code === 0x35) at += jump(loaded >= operand);
    else if (code === 0x45) at += jump((loaded & operand) !== 0);
    else if (code !== 0x06) throw new Error(`the kernel knows no code ${code}`);
    else if (operand === 0x7fff0000) return ALLOWED;
    else return operand === 0x80000000 ? KILLED : `errno ${operand & 0xffff}`;
  }
}

test.each([
  ['x64', CALL.x64],
  ['arm64', ARM],
] as const)('what is refused on %s', (arch, numbers) => {
  const closed = seccompFilter({ unixSockets: false, arch }) as Buffer;
  const open = seccompFilter({ unixSockets: true, arch }) as Buffer;
  const call = (filter: Buffer, number: number, ...args: number[]) =>
    outcome(filter, { arch: numbers.arch, number, arguments: args });
  expect(call(closed, numbers.read)).toBe(ALLOWED);
  expect(call(closed, numbers.keyctl)).toBe('errno 1');
  expect(call(closed, numbers.clone3)).toBe('errno 38');
  expect(call(closed, numbers.clone, 0x11)).toBe(ALLOWED);
  expect(call(closed, numbers.clone, 0x10000011)).toBe('errno 1');
  expect(call(closed, numbers.ioctl, 0, 0x5412)).toBe('errno 1');
  expect(call(closed, numbers.ioctl, 0, 0x5413)).toBe(ALLOWED);
  expect(call(closed, numbers.socket, 1)).toBe('errno 1');
  expect(call(open, numbers.socket, 1)).toBe(ALLOWED);
  expect(call(open, numbers.socket, 40)).toBe('errno 97');
  expect(call(open, numbers.socket, 2)).toBe(ALLOWED);
  expect(outcome(open, { arch: 0x40000003, number: numbers.read })).toBe(KILLED);
});

test('the second table of calls does not exist on x64', () => {
  const filter = seccompFilter({ unixSockets: true, arch: 'x64' }) as Buffer;
  expect(outcome(filter, { arch: CALL.x64.arch, number: 0x40000000 + CALL.x64.read })).toBe('errno 38');
});

test('an architecture whose numbers are not known has none', () => {
  expect(seccompFilter({ unixSockets: true, arch: 'riscv64' })).toBeNull();
});
