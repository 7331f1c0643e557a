/** Whose keys lie where commands could reach them. */
import { homedir } from 'node:os';
import type { Owners } from '../exec/sandbox/owner.ts';

/** The home of whoever runs this program, and of whom commands of a directory run as: none where nothing runs there. */
export function homesOf(owners: Owners): (directory: string) => string[] {
  return (directory) => {
    try {
      const owner = owners.of(directory);
      return owner ? [homedir(), owner.home] : [homedir()];
    } catch {
      return [homedir()]; // it is gone, or something else is there: a command is told so when it is to start
    }
  };
}
