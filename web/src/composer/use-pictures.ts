import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useImagePlace } from '../images/image-place.ts';
import type { Connection } from '../state/actions.ts';
import type { Pictures } from './pictures.ts';

/** The images of a draft as they are now. What no server answered for goes up again once one does. */
export function usePictures(pictures: Pictures, connection: Connection) {
  const place = useImagePlace();
  useEffect(() => {
    if (connection === 'live') pictures.retryUnreachable(place);
  }, [connection, pictures, place]);
  return {
    ...useStore(pictures.state),
    add: (files: readonly File[]) => pictures.add(files, place),
    retry: (key: string) => pictures.retry(key, place),
    remove: (key: string) => pictures.remove(key),
  };
}

export type UsedPictures = ReturnType<typeof usePictures>;
