/** What a client may say about threads and turns; what is not named here is passed over, as Codex does. */
import { approvalPolicy, sandboxMode } from '@tscodex/shared/permissions';
import * as z from 'zod';
import { userInput } from './user-input.ts';

const threadId = z.uuid();
const text = z.string().nullish();

/** Of a thread, when it is loaded. */
const settings = {
  ...{ model: text, modelProvider: text, cwd: text, baseInstructions: text, developerInstructions: text },
  approvalPolicy: approvalPolicy.nullish(),
  sandbox: sandboxMode.nullish(),
  /** Settings of `config.toml` by their dotted names. */
  config: z.record(z.string(), z.unknown()).nullish(),
};

export const startParams = z.object({ ...settings, ephemeral: z.boolean().nullish() });
export const resumeParams = z.object({ ...settings, threadId, excludeTurns: z.boolean().nullish() });
export const forkParams = z.object({
  ...{ ...settings, threadId, excludeTurns: z.boolean().nullish() },
  ...{ lastTurnId: text, beforeTurnId: text, ephemeral: z.boolean().nullish() },
});
export type ThreadSettings = z.infer<z.ZodObject<typeof settings>>;
export type StartParams = z.infer<typeof startParams>;
export type ResumeParams = z.infer<typeof resumeParams>;
export type ForkParams = z.infer<typeof forkParams>;

export const ofThread = z.object({ threadId });
export const readParams = z.object({ threadId, includeTurns: z.boolean().nullish() });
export const terminalParams = z.object({ threadId, processId: z.string() });
export const nameParams = z.object({ threadId, name: z.string().trim().min(1).max(200) });

const sandboxPolicy = z.discriminatedUnion('type', [
  z.object({ type: z.literal('dangerFullAccess') }),
  z.object({ type: z.literal('readOnly'), networkAccess: z.boolean().catch(false) }),
  z.object({
    type: z.literal('workspaceWrite'),
    writableRoots: z.array(z.string()).catch([]),
    networkAccess: z.boolean().catch(false),
    excludeTmpdirEnvVar: z.boolean().nullish(),
    excludeSlashTmp: z.boolean().nullish(),
  }),
]);
export type SandboxPolicy = z.infer<typeof sandboxPolicy>;

export const turnParams = z.object({
  ...{ threadId, input: userInput, clientUserMessageId: text, cwd: text, model: text, effort: text },
  approvalPolicy: approvalPolicy.nullish(),
  sandboxPolicy: sandboxPolicy.nullish(),
  outputSchema: z.unknown().optional(),
});
export type TurnParams = z.infer<typeof turnParams>;

export const steerParams = z.object({
  ...{ threadId, input: userInput, expectedTurnId: z.string(), clientUserMessageId: text },
});
export const interruptParams = z.object({ threadId, turnId: z.string() });
