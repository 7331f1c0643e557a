/** What this server sets in Codex, and what Codex warns of because of that: nobody else has to know. */

/** The feature by which its agent may ask people at any time. */
export const ASKING = 'default_mode_request_user_input';

const WARNINGS = [
  // our table in the user's `config.toml`, and nothing else
  /^Codex is ignoring 1 unrecognized [\s\S]*`tscodex` is ignored\.$/,
  new RegExp(`^Under-development features enabled: ${ASKING}\\. `),
];

export function isOfOurMaking(warning: string): boolean {
  return WARNINGS.some((pattern) => pattern.test(warning));
}
