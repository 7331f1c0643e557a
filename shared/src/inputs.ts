/** Inputs: what a client may ask of a session. */
import * as z from 'zod';
import { attachment, inputMode } from './items.ts';
import { ATTACHMENTS_LIMIT } from './limits.ts';

/** An accepted input, waiting or on its way into a turn. */
export const input = z.object({
  id: z.string(),
  text: z.string(),
  mode: inputMode,
  attachments: z.array(attachment),
  author: z.string().nullable(),
  at: z.string(),
  seen: z.number().optional(),
});
export type Input = z.infer<typeof input>;

/** Body of `POST /api/sessions/:s/inputs`. The id is the client's (UUIDv7) and is accepted once. */
export const newInput = z
  .strictObject({
    id: z.uuid(),
    text: z.string(),
    mode: z.enum(['steer', 'queue']).default('steer'),
    seen: z.number().int().nonnegative().optional(),
    /** Sends text that begins with "/" to the model as it stands. */
    literal: z.boolean().optional(),
    /** Ids of images that `POST /api/workspaces/:ws/attachments` gave. */
    attachments: z.array(z.uuid()).max(ATTACHMENTS_LIMIT).optional(),
  })
  .refine(({ text, attachments }) => text.trim() !== '' || (attachments?.length ?? 0) > 0, {
    message: 'the text is empty',
    path: ['text'],
  });
export type NewInput = z.infer<typeof newInput>;

/** Body of `PATCH /api/sessions/:s/inputs/:id`: new words, or a new place in its queue (0 is next). */
export const inputPatch = z.strictObject({
  text: z
    .string()
    .refine((text) => text.trim() !== '', 'the text is empty')
    .optional(),
  position: z.number().int().nonnegative().optional(),
});
export type InputPatch = z.infer<typeof inputPatch>;
