/** What people can do in a session that not every backend can do: refused by the server, greyed in the page, each with the reason. */

// without a schema: the page has this before anything is shown

/** Whether it is Codex: it writes the session's file, and has a configuration and models of its own. */
export function isCodex(backend: string): boolean {
  return backend === 'codex' || backend === 'codex-exec';
}

/** Which program of Codex's drives the session, as people call it in every language; null for none. */
export function programOf(backend: string): string | null {
  if (backend === 'codex-exec') return 'codex exec';
  return backend.startsWith('codex') ? 'Codex' : null;
}

/**
 * `steer`: messages join the running turn. `asks`: people are asked before something is done. `compact`: the
 * conversation is summed up when a person asks for it. `profile`: it takes a profile of this server's configuration.
 * `tighten`: what people set for its commands holds in the running turn already.
 */
export type Capability = 'steer' | 'asks' | 'compact' | 'profile' | 'tighten';

const LACKS: Readonly<Record<string, readonly Capability[] | undefined>> = {
  codex: ['profile', 'tighten'],
  'codex-exec': ['steer', 'asks', 'compact', 'profile', 'tighten'],
  // a Codex that another agent has started for one task
  'codex-one-shot': ['steer', 'asks', 'compact', 'profile'],
};

/** `backend`: one that is not known lacks nothing. */
export function lacks(backend: string, capability: Capability): boolean {
  return LACKS[backend]?.includes(capability) ?? false;
}
