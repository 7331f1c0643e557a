/**
 * The filter for system calls of confined commands, as the classic BPF program that bubblewrap hands to the kernel.
 * It refuses what a command has no use for and what has led out of sandboxes: namespaces of one's own, mounts, other
 * processes' memory, kernel keys, io_uring (which would pass by this filter), typing into a terminal.
 */

type Architecture = {
  /** AUDIT_ARCH_…: a program for another one is killed, its calls have other numbers. */
  audit: number;
  /** Whether the numbers from 2^30 on are a second table (x32) of the same calls. */
  secondTable: boolean;
  numbers: Record<(typeof REFUSED)[number] | 'clone' | 'clone3' | 'unshare' | 'ioctl' | 'socket', number>;
};

const REFUSED = [
  ...(['ptrace', 'process_vm_readv', 'process_vm_writev', 'pidfd_getfd'] as const),
  ...(['add_key', 'request_key', 'keyctl', 'bpf', 'perf_event_open', 'userfaultfd'] as const),
  ...(['io_uring_setup', 'io_uring_enter', 'io_uring_register'] as const),
  ...(['mount', 'umount2', 'pivot_root', 'move_mount', 'open_tree', 'mount_setattr'] as const),
  ...(['fsopen', 'fsconfig', 'fsmount', 'fspick', 'setns', 'open_by_handle_at'] as const),
  ...(['kexec_load', 'kexec_file_load', 'init_module', 'finit_module', 'delete_module'] as const),
];

/** The same on all architectures. */
const NEW_CALLS = {
  pidfd_getfd: 438,
  ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427 },
  ...{ open_tree: 428, move_mount: 429, fsopen: 430, fsconfig: 431, fsmount: 432, fspick: 433 },
  ...{ clone3: 435, mount_setattr: 442 },
};

const ARCHITECTURES: Partial<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    secondTable: true,
    numbers: {
      ...NEW_CALLS,
      ...{ ptrace: 101, process_vm_readv: 310, process_vm_writev: 311 },
      ...{ add_key: 248, request_key: 249, keyctl: 250, bpf: 321, perf_event_open: 298, userfaultfd: 323 },
      ...{ mount: 165, umount2: 166, pivot_root: 155, setns: 308, open_by_handle_at: 304 },
      ...{ kexec_load: 246, kexec_file_load: 320, init_module: 175, finit_module: 313, delete_module: 176 },
      ...{ clone: 56, unshare: 272, ioctl: 16, socket: 41 },
    },
  },
  arm64: {
    audit: 0xc00000b7,
    secondTable: false,
    numbers: {
      ...NEW_CALLS,
      ...{ ptrace: 117, process_vm_readv: 270, process_vm_writev: 271 },
      ...{ add_key: 217, request_key: 218, keyctl: 219, bpf: 280, perf_event_open: 241, userfaultfd: 282 },
      ...{ mount: 40, umount2: 39, pivot_root: 41, setns: 268, open_by_handle_at: 265 },
      ...{ kexec_load: 104, kexec_file_load: 294, init_module: 105, finit_module: 273, delete_module: 106 },
      ...{ clone: 220, unshare: 97, ioctl: 29, socket: 198 },
    },
  },
};

const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const refuse = (errno: number) => 0x00050000 | errno;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Where `struct seccomp_data` holds the number, the architecture, and the lower half of an argument. */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const argumentAt = (index: number) => 16 + 8 * index;

const CLONE_NEWUSER = 0x10000000;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const AF_UNIX = 1;
const AF_ALG = 38;
const AF_VSOCK = 40;

type Instruction = [code: number, ifTrue: number, ifFalse: number, operand: number];
/** An argument that makes a call refused. */
type Test = [compare: typeof EQUAL | typeof ANY_BIT, value: number, errno: number];

/** The program; null where the numbers of the calls are not known. `unixSockets`: whether they may be opened. */
export function seccompFilter(options: { unixSockets: boolean; arch?: string }): Buffer | null {
  const architecture = ARCHITECTURES[options.arch ?? process.arch];
  if (!architecture) return null;
  const { audit, secondTable, numbers } = architecture;
  const families: Test[] = [
    [EQUAL, AF_ALG, EAFNOSUPPORT],
    [EQUAL, AF_VSOCK, EAFNOSUPPORT],
    ...(options.unixSockets ? [] : [[EQUAL, AF_UNIX, EPERM] satisfies Test]),
  ];
  return encode([
    [LOAD, 0, 0, ARCHITECTURE_AT],
    [EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER_AT],
    ...(secondTable ? whereTrue([AT_LEAST, 0, 0, 0x40000000], refuse(ENOSYS)) : []),
    ...REFUSED.flatMap((name) => whereTrue([EQUAL, 0, 0, numbers[name]], refuse(EPERM))),
    // its flags lie in memory, out of reach; the C library then uses clone()
    ...whereTrue([EQUAL, 0, 0, numbers.clone3], refuse(ENOSYS)),
    ...byArgument(numbers.ioctl, 1, [
      [EQUAL, TIOCSTI, EPERM],
      [EQUAL, TIOCLINUX, EPERM],
    ]),
    ...byArgument(numbers.clone, 0, [[ANY_BIT, CLONE_NEWUSER, EPERM]]),
    ...byArgument(numbers.unshare, 0, [[ANY_BIT, CLONE_NEWUSER, EPERM]]),
    ...byArgument(numbers.socket, 0, families),
    [RETURN, 0, 0, ALLOW],
  ]);
}

function whereTrue([code, , , operand]: Instruction, outcome: number): Instruction[] {
  return [
    [code, 0, 1, operand],
    [RETURN, 0, 0, outcome],
  ];
}

/** Every other call goes on behind this with its number still loaded. */
function byArgument(number: number, index: number, tests: Test[]): Instruction[] {
  const inside: Instruction[] = [
    [LOAD, 0, 0, argumentAt(index)],
    ...tests.flatMap(([compare, value, errno]) => whereTrue([compare, 0, 0, value], refuse(errno))),
    [RETURN, 0, 0, ALLOW],
  ];
  return [[EQUAL, 0, inside.length, number], ...inside];
}

function encode(program: Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [i, [code, ifTrue, ifFalse, operand]] of program.entries()) {
    bytes.writeUInt16LE(code, i * 8);
    bytes.writeUInt8(ifTrue, i * 8 + 2);
    bytes.writeUInt8(ifFalse, i * 8 + 3);
    bytes.writeUInt32LE(operand >>> 0, i * 8 + 4);
  }
  return bytes;
}
