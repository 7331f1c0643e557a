import { expect, test } from 'vitest';
import { overflowIn } from './context-overflow.ts';

test.each([
  ['Your input exceeds the context window of this model. Please adjust your input and try again.', {}],
  [
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens in the messages, Please reduce the length of the messages.",
    { limit: 8192, requested: 9000 },
  ],
  [
    "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=262145)",
    { limit: 262_144, requested: 262_145 },
  ],
  [
    'request (60179 tokens) exceeds the available context size (60160 tokens), try increasing it',
    { limit: 60_160, requested: 60_179 },
  ],
  ['prompt is too long: 213462 tokens > 200000 maximum', { limit: 200_000, requested: 213_462 }],
  ['prompt too long; exceeded max context length by 812 tokens', {}],
  [
    "The input (400013 tokens) is longer than the model's context length (262144 tokens).",
    { limit: 262_144, requested: 400_013 },
  ],
  [
    "Input length (265330) exceeds model's maximum context length (262144).",
    { limit: 262_144, requested: 265_330 },
  ],
  // more of the kind, from Gemini, xAI, OpenRouter, Copilot, Kimi, Mistral, LM Studio, MiniMax, Qwen, Bedrock, Claude
  [
    'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)',
    { limit: 1_048_575, requested: 1_196_265 },
  ],
  [
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens",
    { limit: 131_072, requested: 537_812 },
  ],
  [
    "This endpoint's maximum context length is 131,072 tokens. However, you requested about 150,001 tokens",
    { limit: 131_072, requested: 150_001 },
  ],
  [
    'Input length 40000 exceeds the maximum allowed input length of 32768 tokens.',
    { limit: 32_768, requested: 40_000 },
  ],
  ['prompt token count of 130001 exceeds the limit of 128000', { limit: 128_000, requested: 130_001 }],
  [
    'Invalid request: Your request exceeded model token limit: 262144 (requested: 270000)',
    { limit: 262_144, requested: 270_000 },
  ],
  [
    'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
    { limit: 32_768, requested: 40_000 },
  ],
  ['The number of tokens to keep from the initial prompt is greater than the context length', {}],
  ['invalid params, context window exceeds limit', {}],
  ['Range of input length should be [1, 129024]', { limit: 129_024 }],
  ['Input is too long for requested model.', {}],
  ['input length and `max_tokens` exceed context limit: 198154 + 8192 > 200000', { limit: 200_000 }],
])('O-B11: too long: %s', (message, counts) => {
  expect(overflowIn(message)).toEqual(counts);
});

test.each([
  'max_tokens is too large: 999999',
  'Too many tokens per minute',
  'This request exceeds the limit of 30000 tokens per minute',
  'Rate limit reached: maximum context length per minute',
  'The model does not exist',
  'context',
  '',
])('O-B11: another matter: %s', (message) => {
  expect(overflowIn(message)).toBeNull();
});

test('a text of any length is read in no time', () => {
  for (const text of ['exceed '.repeat(3000), 'maximum context length '.repeat(1000), '(9'.repeat(9000)])
    expect(() => overflowIn(text.slice(0, 16_384))).not.toThrow();
});
