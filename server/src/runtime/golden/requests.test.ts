import { expect, test } from 'vitest';
import type { ConfiguredModel } from '../../base/config/model-config.ts';
import { userText } from '../../base/response-items.ts';
import { modelFacts } from '../../model/catalog.ts';
import type { ModelRequest } from '../../model/client.ts';
import { requestParameters } from '../../model/request-parameters.ts';
import { ResponsesClient } from '../../model/responses.ts';
import { collect, completed, done, provider, settings, sse, stream } from '../../model/test-provider.ts';
import {
  called,
  calledWithText,
  comparable,
  expectGolden,
  goldenSession,
  said,
} from './golden-session.test-support.ts';

const PATCH = '*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch';

/** A model for each way to be asked. */
const STYLES = [
  ['freeform', 'gpt-5.5', calledWithText('apply_patch', PATCH)],
  ['function', 'qwen3-coder-next', called('apply_patch', { input: PATCH })],
  ['lite', 'gpt-6.2-sol', calledWithText('apply_patch', PATCH)],
] as const;

test.each(STYLES)(
  '%s: the first request, the one after a call, and the one with a steer',
  async (style, model, patch) => {
    const scene = await goldenSession(model, [
      [said('I shall write it.'), patch],
      async () => {
        await scene.send('And call it b.txt next time.');
        return [said('It is written.')];
      },
      [said('I shall.')],
    ]);
    await scene.send('Write a.txt.');
    await scene.watcher.until((state) => scene.requests.length === 3 && state.turn === null);
    await expectGolden(`${style}-first`, scene.golden(0));
    await expectGolden(`${style}-after-call`, withoutTools(scene.golden(1)));
    await expectGolden(`${style}-steered`, withoutTools(scene.golden(2)));
    expectOneBeginning(scene.requests.map(({ body }) => body));
    await scene.session.unload('shutdown');
  },
);

test('after a change to a model that knows functions alone', async () => {
  const answers = [[calledWithText('apply_patch', PATCH)], [said('It is written.')], [said('It is.')]];
  const scene = await goldenSession('gpt-5.5', answers);
  await scene.send('Write a.txt.');
  await scene.watcher.until((state) => scene.requests.length === 2 && state.turn === null);
  await scene.send('/model qwen3-coder-next');
  await scene.watcher.until((state) => state.model === 'qwen3-coder-next');
  await scene.send('Is it written?');
  await scene.watcher.until((state) => scene.requests.length === 3 && state.turn === null);
  await expectGolden('other-model', withoutTools(scene.golden(2)));
  await scene.session.unload('shutdown');
});

test('with all that can be set', async () => {
  const configured: ConfiguredModel = {
    kind: 'configured',
    name: 'gpt-5.5',
    provider: settings('http://127.0.0.1'),
    ...{ effort: 'high', summary: 'auto', verbosity: 'high', serviceTier: 'fast' },
  };
  const scene = await goldenSession('gpt-5.5', [[said('Hello.')]], {
    model: configured,
    toolset: ['exec_command', 'update_plan'],
    instructions: { developer: 'Speak softly.' },
  });
  await scene.send('hi');
  await scene.watcher.idle();
  await expectGolden('all-settings', scene.golden(0));
  await scene.session.unload('shutdown');
});

test('of a model nobody knows nothing is asked', async () => {
  const scene = await goldenSession('somebodys-finetune', [[said('Hello.')]]);
  await scene.send('hi');
  await scene.watcher.idle();
  await expectGolden('unknown-model', withoutTools(scene.golden(0)));
  await scene.session.unload('shutdown');
});

test('with a schema for the answer', async () => {
  const { origin, seen } = await provider(stream(sse(done(said('{"ok":true}')), completed())));
  const client = new ResponsesClient(settings(origin), '1.2.3');
  const outputSchema = {
    ...{ type: 'object', properties: { ok: { type: 'boolean' } } },
    ...{ required: ['ok'], additionalProperties: false },
  };
  const request: ModelRequest = {
    ...{ ...requestParameters({ model: 'gpt-5.5' }, modelFacts('gpt-5.5')), outputSchema },
    ...{ instructions: 'Answer in JSON.', input: [userText('Is it so?')], tools: [] },
    cacheKey: '0197f7a0-0000-7000-8000-000000000000',
  };
  await collect(client.stream(request, new AbortController().signal));
  await expectGolden('output-schema', comparable(seen[0], '/nowhere'));
});

/** Each request begins with all of the one before it: what the provider has seen it need not read again. */
function expectOneBeginning(bodies: Record<string, unknown>[]): void {
  for (const [n, body] of bodies.entries()) {
    const before = bodies[n - 1];
    if (!before) continue;
    const { input, ...rest } = before as { input: unknown[] };
    expect(body).toMatchObject(rest);
    expect((body.input as unknown[]).slice(0, input.length)).toEqual(input);
  }
}

/** Only their names: whole they are in the first request. */
function withoutTools(request: Record<string, unknown>): Record<string, unknown> {
  const named = (tools: unknown) => (tools as { name: string }[]).map(({ name }) => name);
  const body = request.body as { tools?: unknown; input: Record<string, unknown>[] };
  const input = body.input.map((item) => ('tools' in item ? { ...item, tools: named(item.tools) } : item));
  return { ...request, body: { ...body, ...(body.tools ? { tools: named(body.tools) } : {}), input } };
}
