import { createContext, useContext } from 'react';

/** The directory of the session on show: paths within it are shown from there. */
export const WorkDirectory = createContext('');

/** Shortens paths to how one would name them in the session's directory. Others stay whole. */
export function useShortPath(): (path: string) => string {
  const dir = useContext(WorkDirectory);
  return (path) => shortPath(path, dir);
}

export function shortPath(path: string, dir: string): string {
  return dir !== '' && path.startsWith(`${dir}/`) ? path.slice(dir.length + 1) : path;
}
