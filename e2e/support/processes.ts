/** What runs on this machine. */
import { execFileSync } from 'node:child_process';

/** Pids of processes whose command line holds exactly these words. */
export function processes(words: string): number[] {
  const list = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  return list.split('\n').flatMap((line) => {
    const [, pid, args] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return args === words ? [Number(pid)] : [];
  });
}

/** A number of seconds no other test sleeps, to know one's own `sleep` by. */
export function uniqueSeconds(): number {
  return 100_000 + Math.floor(Math.random() * 800_000);
}
