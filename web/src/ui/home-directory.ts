import { createContext, useContext } from 'react';

/** The home of the user that the server runs as; empty until it is known. */
export const HomeDirectory = createContext('');

/** Writes paths as people write them: `~` for the home. */
export function useTilde(): (path: string) => string {
  const home = useContext(HomeDirectory);
  return (path) => withTilde(path, home);
}

export function withTilde(path: string, home: string): string {
  if (home === '' || home === '/') return path;
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
