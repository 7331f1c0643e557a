/**
 * What a command may touch: decided above, enforced here. All paths are absolute, with links resolved, and those
 * named to be written exist. Where places lie in one another, the deepest decides; of one and the same place, in
 * this order: `write`, `readable`, `hidden`, `kept`, `roots`.
 */
export type Confinement = {
  /** `read-only` writes nowhere but where `write` names it. */
  mode: 'read-only' | 'workspace-write';
  network: boolean;
  /** Whether unix sockets may be opened although the network is off. */
  unixSockets: boolean;
  /** Where it may write; `.git`, `.codex` and `.agents` directly in them stay as they are. */
  roots: readonly string[];
  /**
   * What a person has allowed it to write beyond that, protected places included. A file that is named alone can be
   * written but neither replaced nor deleted: that takes its directory.
   */
  write: readonly string[];
  /** Nothing of these can be seen: keys, the state of this server, other people's work. */
  hidden: readonly string[];
  /** What is in a hidden place and can be read all the same. */
  readable: readonly string[];
  /** What stays as it is where it could be written otherwise. */
  kept?: readonly string[];
};
