/** One program in the confinement of macOS, and whether that holds. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Program } from '../channel.ts';
import type { Confinement } from './confinement.ts';
import { mountPlan } from './mount-plan.ts';
import { expectVisible, placesOf } from './places.ts';
import type { PreparedProgram } from './prepared-program.ts';
import type { ProbeOutcome } from './sandbox-probe.ts';
import { seatbeltArgv } from './seatbelt.ts';

/** Throws what `placesOf` and `expectVisible` do. */
export function inSeatbelt(program: Program, confinement: Confinement): PreparedProgram {
  const homes = program.env.HOME ? [program.env.HOME] : [];
  const plan = mountPlan(placesOf(confinement, { uid: process.getuid?.() ?? 0, homes }));
  expectVisible(program.cwd, plan);
  const argv = seatbeltArgv(program.argv, { plan, ...confinement });
  return { program: { ...program, argv }, enclosed: false, release: async () => null };
}

/** Never rejects. Only what is tried inside a directory made for it is ever written. */
export async function probeSeatbelt(): Promise<ProbeOutcome> {
  const place = await realpath(await mkdtemp(join(tmpdir(), 'tscodex-probe-')));
  const work = join(place, 'work');
  const secret = join(place, 'secret');
  await mkdir(work);
  await writeFile(secret, 'BAD hidden-file-read\n');
  try {
    const { program } = inSeatbelt(
      { argv: ['/bin/sh', '-c', script(place)], cwd: work, env: { PATH: '/usr/bin:/bin' } },
      {
        ...{ mode: 'workspace-write', network: false, unixSockets: false },
        ...{ roots: [work], write: [], hidden: [secret], readable: [] },
      },
    );
    return judge(await outputOf(program));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

function script(place: string): string {
  return [
    `echo x > ${place}/work/file && echo can-write`,
    `(echo x > ${place}/file) && echo BAD outside-written`,
    `cat ${place}/secret`,
    `mkdir ${place}/work/.git && echo BAD protected-written`,
    'nc -z -w 1 127.0.0.1 9 2>&1 | grep -q refused && echo BAD network-reached; true',
  ].join('; ');
}

function judge(output: string): ProbeOutcome {
  const lines = output.split('\n');
  const bad = lines.filter((line) => line.startsWith('BAD ')).map((line) => line.slice(4));
  const refused = (kind: 'other' | 'not-enforcing', detail: string) => ({
    ...{ problem: { kind, detail }, passing: false, abilities: null, version: null },
  });
  if (!lines.includes('can-write'))
    return refused('other', output.trim().split('\n')[0] || 'sandbox-exec said nothing');
  if (bad.length) return refused('not-enforcing', bad.join(', '));
  return {
    problem: null,
    abilities: { proc: null, namespacesOff: false, sizes: false, defaultSignals: false },
    version: 'sandbox-exec',
  };
}

function outputOf({ argv: [file, ...args], cwd, env }: Program): Promise<string> {
  return new Promise((resolve) => {
    execFile(file, args, { cwd, env, timeout: 30_000 }, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}
