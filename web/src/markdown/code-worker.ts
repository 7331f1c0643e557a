/** The worker that reads code for its colours, one block after the other. */
import { CodeReader, type Runs } from './code-reader.ts';

export type CodeRequest = { code: string; language: string };
/** null: it stays plain. */
export type CodeReply = { runs: Runs | null };

const reader = new CodeReader();

self.addEventListener('message', ({ data }: MessageEvent<CodeRequest>) => {
  const reply = (runs: Runs | null) => self.postMessage({ runs } satisfies CodeReply);
  reader.read(data.code, data.language).then(reply, (error: unknown) => {
    console.error(`Code in ${data.language} stays plain.`, error);
    reply(null);
  });
});
