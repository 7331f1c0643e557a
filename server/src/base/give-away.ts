/** What a server that is root makes for others is theirs: their commands run as them and could not write it. */
import { lchownSync, statSync } from 'node:fs';

/**
 * Gives what has just been made in the directory, or below it, to the owner of the directory. Nothing happens where
 * this process is not root. Throws what the file system says.
 */
export function giveToOwnerOf(directory: string, made: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(directory);
  for (const path of made) lchownSync(path, uid, gid);
}
