/** How many of a session's leaders are on its big screen. */
export const PODIUM_SIZE = 3;
/** How many of the newest chat messages are sent to a big screen. It shows fewer, so that it knows the one before a deleted one. */
export const STAGE_MESSAGES = 8;
