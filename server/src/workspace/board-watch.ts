/** Tells when a board changes, also when its file or even its directory comes, goes and comes again. */

import { watchPath } from '../base/path-watch.ts';
import { boardVersion } from './board.ts';

/**
 * Calls `onChange` with the new version (null: no board) whenever it differs from the last one told. Call the
 * result to stop.
 */
export function watchBoard(
  path: string,
  version: string | null,
  onChange: (version: string | null) => void,
): () => void {
  let told = version;
  let stopped = false;
  const look = async () => {
    const found = await boardVersion(path);
    if (stopped || found === told) return;
    told = found;
    onChange(found);
  };
  const stop = watchPath(path, () => void look());
  void look();
  return () => {
    stopped = true;
    stop();
  };
}
