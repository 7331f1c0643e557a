/** What a call is answered with, and what is told once it has been. */
export type Answer = { result: object; news?: { method: string; params: Record<string, unknown> }[] };
