/** The shortest time between two messages of a player, in all sessions together. */
export const MESSAGE_EVERY_SECONDS = 2;
export const MESSAGE_LINES_MAX = 12;
export const MESSAGES_SHOWN = 50;
/** The choices for a session's slow mode, in seconds between two messages of one player; 0 is off. */
export const slowModes = [0, 5, 10, 30, 60] as const;

export const MUTE_MINUTES_MAX = 1_440;
export const MUTE_REASON_LENGTH_MAX = 200;
