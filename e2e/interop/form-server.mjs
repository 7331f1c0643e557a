// An MCP server whose one tool asks people, by a form or by a page, and says what it was answered.
import { createInterface } from 'node:readline';

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const FORM = {
  mode: 'form',
  message: 'Where shall it go?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', minLength: 2 },
      copies: { type: 'integer', description: 'How many copies?', minimum: 1, maximum: 9 },
      express: { type: 'boolean', title: 'Express' },
      size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
      note: { type: 'string', title: 'Note' },
    },
    required: ['name', 'copies', 'express', 'size'],
  },
};
const PAGE = { mode: 'url', message: 'Log in there.', url: 'https://example.org/login', elicitationId: 'e1' };

const tool = {
  name: 'ask',
  description: 'Asks.',
  inputSchema: { type: 'object', properties: { page: { type: 'boolean' } } },
  annotations: { readOnlyHint: true },
};

let count = 0;
const calls = new Map();
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === 'initialize') {
    const { protocolVersion } = params;
    const serverInfo = { name: 'forms', version: '1' };
    say({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list') say({ id, result: { tools: [tool] } });
  else if (method === 'tools/call') {
    const asked = `ask-${count++}`;
    calls.set(asked, id);
    say({ id: asked, method: 'elicitation/create', params: params.arguments?.page ? PAGE : FORM });
  } else if (calls.has(id)) {
    const text = JSON.stringify(result ?? { error });
    say({ id: calls.get(id), result: { content: [{ type: 'text', text }] } });
  } else if (method && id !== undefined) say({ id, result: {} });
});
