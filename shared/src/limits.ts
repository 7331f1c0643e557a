/** Bounds both sides keep to. Free of zod, so that the page can read them without carrying it. */

/** UTF-8 bytes of one input's text; more is answered with 413. */
export const INPUT_LIMIT = 1024 * 1024;

/** Characters of one answer or reason. */
export const ANSWER_LIMIT = 64 * 1024;

/** Characters of an ask as the inbox shows it. */
export const BRIEF_LIMIT = 500;

/** Characters of the name a person goes by. */
export const NAME_LIMIT = 60;

/** People that pages are told of one by one; of the others only how many there are. */
export const PEOPLE_LIMIT = 50;

/** Characters of the name of a workspace, and of a session's title. */
export const WORKSPACE_NAME_LIMIT = 100;
export const TITLE_LIMIT = 200;

/** Bytes of one attached image, as it is sent. The page makes larger ones smaller first. */
export const IMAGE_LIMIT = 8 * 1024 * 1024;

/** Images in one message, and bytes of all of them: they are one line of the conversation's file. */
export const ATTACHMENTS_LIMIT = 8;
export const MESSAGE_IMAGES_LIMIT = 24 * 1024 * 1024;

/** Words of a rule about commands, and characters of each. */
export const RULE_LIMIT = { words: 32, word: 1000 };

/** Characters of a command's output kept at either end; what lies between is fetched on demand. */
export const OUTPUT_HEAD = 32 * 1024;
export const OUTPUT_TAIL = 32 * 1024;

/**
 * How many of the newest items a session's state holds, and what they weigh together (see `item-weight`): fewer where
 * they are large. What is in progress stays beyond that.
 */
export const ITEMS_KEPT = 200;
export const WEIGHT_KEPT = 4 * 1024 * 1024;

/** Items in one page of older history at the most. */
export const PAGE_LIMIT = 1000;

/** UTF-8 bytes of its items that one page of history holds at the most, but for a single item that is larger. */
export const PAGE_BYTES = 1024 * 1024;

/** Characters of what is looked for. */
export const QUERY_LIMIT = 500;

/** The server sends something at least this often; both sides give up after three silent periods. */
export const HEARTBEAT_MS = 15_000;
