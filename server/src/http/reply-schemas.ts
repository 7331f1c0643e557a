/** Replies that only the HTTP layer knows. */
import * as z from 'zod';

/** 204 */
export const emptyReply = z.void();

/** 202: it was taken, there is nothing more to say. */
export const taken = z.object({});
