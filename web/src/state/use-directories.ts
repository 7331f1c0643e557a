import { useEffect, useState } from 'react';
import { urlPath } from '../api/http.ts';
import { useServices } from './services.ts';

/** A pause in typing that is worth a question. */
const QUIET_MS = 120;

/** `of`: the path that they complete, which may be an older one than what is typed by now. */
type Found = { of: string; directories: readonly string[] };

const NONE: Found = { of: '', directories: [] };

/** The directories that a path may be completed to, as far as they are known; with `workspace`, those within it. */
export function useDirectories(path: string, workspace?: string): Found {
  const { api } = useServices();
  const [found, setFound] = useState(NONE);
  useEffect(() => {
    let isWanted = true;
    const ask = () => {
      const query = new URLSearchParams({ path, ...(workspace === undefined ? {} : { workspace }) });
      api.json<{ directories: string[] }>('GET', `${urlPath('api', 'directories')}?${query}`).then(
        ({ directories }) => isWanted && setFound({ of: path, directories }),
        // suggestions only help: whoever types a path goes on without
        () => isWanted && setFound({ ...NONE, of: path }),
      );
    };
    const timer = setTimeout(ask, QUIET_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [api, path, workspace]);
  return found;
}
