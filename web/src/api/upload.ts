/** Sends the bytes of a file and tells how far they have come, which `fetch` does not. */
import { type Api, parse, problemOf, unreachable, unreadable } from './http.ts';

/** Resolves to the parsed answer. Rejects with `ApiProblem`, or with the signal's reason once aborted. */
export async function upload<Answer>(
  api: Api,
  path: string,
  body: Blob,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (part: number) => void },
): Promise<Answer> {
  const response = await posted(new URL(path, api.base), body, signal, onProgress);
  if (!response.ok) throw api.noticed(await problemOf(response));
  const answer = parse(await response.text());
  if (answer === undefined) throw unreadable(response);
  return answer as Answer;
}

function posted(
  url: URL,
  body: Blob,
  signal: AbortSignal,
  onProgress: (part: number) => void,
): Promise<Response> {
  const request = new XMLHttpRequest();
  return new Promise<Response>((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onabort = () => reject(signal.reason);
    request.onerror = () => reject(unreachable());
    request.onload = () => {
      const { status, responseText } = request;
      const headers = { 'retry-after': request.getResponseHeader('retry-after') ?? '' };
      resolve(new Response(responseText, { status, headers }));
    };
    request.open('POST', url);
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('content-type', body.type);
    request.send(body);
  });
}
