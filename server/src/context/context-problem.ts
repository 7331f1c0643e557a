/** Something that people wrote for agents and that does not reach them as it was meant. */
export type ContextProblem = {
  code: 'context.agentsMd' | 'context.skills';
  path: string;
  /** Goes on after the path and a colon. */
  why: string;
  /** What it is, where `why` says more of it than that: how large a file is may change all the time. */
  kind?: 'cut';
};
