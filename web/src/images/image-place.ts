import type { Attachment } from '@tscodex/shared/items';
import { createContext, useContext } from 'react';
import { type Api, urlPath } from '../api/http.ts';
import { upload } from '../api/upload.ts';

/** Where the images of the workspace on show are: on our own server and nowhere else. */
export type ImagePlace = {
  address(id: string): string;
  /** `onProgress`: from 0 to 1. Rejects with `ApiProblem`, or with the signal's reason. */
  put(
    image: Blob,
    name: string,
    options: { signal: AbortSignal; onProgress: (part: number) => void },
  ): Promise<Attachment>;
};

export function imagePlace(api: Api, workspaceId: string): ImagePlace {
  const path = urlPath('api', 'workspaces', workspaceId, 'attachments');
  return {
    address: (id) => new URL(`${path}/${encodeURIComponent(id)}`, api.base).href,
    async put(image, name, options) {
      const query = new URLSearchParams({ name });
      const answer = await upload<{ attachment: Attachment }>(api, `${path}?${query}`, image, options);
      return answer.attachment;
    },
  };
}

/** Outside a workspace there are no images. */
const NOWHERE: ImagePlace = {
  address: () => '',
  put: () => Promise.reject(new Error('no workspace around this component')),
};

export const ImagePlaceContext = createContext(NOWHERE);

export function useImagePlace(): ImagePlace {
  return useContext(ImagePlaceContext);
}
