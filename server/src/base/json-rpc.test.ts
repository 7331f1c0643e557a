import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { JsonRpc, type RpcRequest } from './json-rpc.ts';

function open(lineLimit?: number) {
  const [from, to] = [new PassThrough(), new PassThrough()];
  const seen: unknown[] = [];
  const rpc = new JsonRpc(
    from,
    to,
    {
      notified: ({ method }) => seen.push(method),
      asked: (request: RpcRequest) => {
        if (request.method === 'breaks') throw new Error('a bug');
        seen.push(request);
      },
      malformed: ({ code }, id) => seen.push([code, id]),
    },
    lineLimit,
  );
  const sent = () =>
    String(to.read() ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { from, rpc, seen, sent };
}

test('requests, notifications and answers are told apart, in whatever pieces they come', async () => {
  const { from, rpc, seen, sent } = open();
  let number = -1;
  const answered = rpc.call('ask', { a: 1 }, (given) => {
    number = given;
  });
  expect([number, sent()]).toEqual([0, [{ id: 0, method: 'ask', params: { a: 1 } }]]);
  from.write('{"id":0,"method":"begin","params":{}}\n{"jsonrpc":"2.0","meth');
  from.write('od":"told"}\n\n{"id":0,"res');
  from.write('ult":{"b":2}}\n');
  expect(await answered).toEqual({ b: 2 });
  expect(seen).toEqual([{ id: 0, method: 'begin', params: {} }, 'told']);

  const refused = rpc.call('again', {});
  from.write('{"error":{"code":-5,"message":"no"},"id":1}\n');
  await expect(refused).rejects.toMatchObject({ refusal: { code: -5, message: 'no' } });
  const empty = rpc.call('empty', {});
  from.write('{"id":2}\n');
  await expect(empty).rejects.toMatchObject({ refusal: { code: -32600 } });
  const left = rpc.call('late', {});
  rpc.end(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(rpc.call('later', {})).rejects.toThrow('gone');
});

test.for([
  ['{"id":0,"result":{"a":1},"error":null}', { a: 1 }],
  ['{"id":0,"result":null,"error":null}', null],
])('an answer that also says that there is no error is one: %s', async ([line, result]) => {
  const { from, rpc, seen } = open();
  const answered = rpc.call('ask', {});
  from.write(`${line}\n`);
  expect(await answered).toEqual(result);
  expect(seen).toEqual([]);
});

test('an error that is none of the standard is a no', async () => {
  const { from, rpc } = open();
  const answered = rpc.call('ask', {});
  from.write('{"id":0,"result":null,"error":"no"}\n');
  await expect(answered).rejects.toMatchObject({ refusal: { code: -32603 } });
});

test('what is no message is told with the id of a request, and nothing after it is lost', async () => {
  const { from, seen, sent } = open(40);
  from.write(
    `not json\n[1]\n{"id":7}\n{"id":8,"method":5}\n{"id":null,"method":"x"}\n${'z'.repeat(41)}\n{"method":"told"}\n`,
  );
  from.write('{"id":"s","method":"breaks"}\n{"method":"last"}\n');
  from.end();
  await new Promise((resolve) => from.once('close', resolve));
  expect(seen).toEqual([
    [-32700, null],
    [-32600, null],
    // its number would be that of a request of ours
    [-32600, null],
    [-32600, 8],
    [-32600, null],
    [-32600, null],
    'told',
    'last',
  ]);
  expect(sent()).toEqual([{ error: { code: -32603, message: 'it could not be taken here' }, id: 's' }]);
});
