import { expect, test } from 'vitest';
import { isOfOurMaking } from './own-settings.ts';

const unstable = (features: string) =>
  `Under-development features enabled: ${features}. Under-development features are incomplete and may behave unpredictably.`;

test('what Codex warns of because of this server is kept back, with what its user has set it is not', () => {
  expect(isOfOurMaking(unstable('default_mode_request_user_input'))).toBe(true);
  expect(isOfOurMaking(unstable('default_mode_request_user_input, request_permissions_tool'))).toBe(false);
  expect(isOfOurMaking(unstable('request_permissions_tool'))).toBe(false);
});
