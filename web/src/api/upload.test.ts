import { afterEach, expect, test, vi } from 'vitest';
import { Api } from './http.ts';
import { upload } from './upload.ts';

afterEach(() => vi.unstubAllGlobals());

function uploadAnswered(status: number, responseText: string): Promise<unknown> {
  class Answered {
    readonly upload = {};
    readonly status = status;
    readonly responseText = responseText;
    onload = () => undefined;
    open = () => undefined;
    setRequestHeader = () => undefined;
    getResponseHeader = () => null;
    send() {
      this.onload();
    }
  }
  vi.stubGlobal('XMLHttpRequest', Answered);
  const api = new Api(new URL('http://box/'), () => undefined);
  const how = { signal: new AbortController().signal, onProgress: () => undefined };
  return upload(api, 'api/images', new Blob(['x']), how);
}

test('the answer is parsed', async () => {
  expect(await uploadAnswered(201, '{"id":"i1"}')).toEqual({ id: 'i1' });
});

test('a page of a proxy in place of an answer is a problem with a sentence, whatever its status', async () => {
  const problem = { name: 'ApiProblem', code: 'http.unreadable' };
  const page = '<!doctype html><title>Sign in</title>';
  await expect(uploadAnswered(200, page)).rejects.toMatchObject({
    ...problem,
    status: 200,
    message: 'The server answered 200 with something that is not its own. Is a proxy in between?',
  });
  await expect(uploadAnswered(502, page)).rejects.toMatchObject({ ...problem, status: 502 });
});
