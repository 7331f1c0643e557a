/** A message of a person, as Codex takes it. */
export type CodexInput = { id: string; text: string; imagePaths: readonly string[] };
