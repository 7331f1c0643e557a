/**
 * What a path leads to, by one look: whoever asks for its links first and for its owner afterwards may be told of two
 * things, where commands exchange a directory for a link again and again.
 */
import { FileAtPath } from '../../base/file-at-path.ts';

export type RealPlace = {
  /** Absolute, with links resolved. Where nothing is at this path any more, no path that was asked for equals it. */
  path: string;
  uid: number;
  gid: number;
  dev: number;
  ino: number;
  directory: boolean;
};

/** null for what is missing, or where this server may not look. Elsewhere than on Linux it takes two looks. */
export function realPlace(path: string): RealPlace | null {
  try {
    using place = FileAtPath.find(path);
    if (!place) return null;
    const { stats } = place.found;
    const { uid, gid, dev, ino } = stats;
    return { path: place.found.path, ...{ uid, gid, dev, ino }, directory: stats.isDirectory() };
  } catch {
    return null;
  }
}
