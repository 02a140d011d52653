/** The shortest time between two messages of a player, in all sessions together. */
export const MESSAGE_EVERY_SECONDS = 2;
export const MESSAGE_LENGTH_MAX = 500;
/** Messages per page of the chat. */
export const MESSAGES_SHOWN = 50;
/** The choices for a session's slow mode, in seconds between two messages of one player; 0 is off. */
export const slowModes = [0, 5, 10, 30, 60] as const;

export const MUTE_MINUTES_MAX = 1_440;
export const MUTE_REASON_LENGTH_MAX = 200;

/**
 * A message as one line of plain text: without control characters, marks that change the reading direction, and more than
 * three combining accents on a letter.
 */
export function cleanText(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " ")
    .replaceAll(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\p{Cs}/gu, "")
    .replaceAll(/(\p{M}{3})\p{M}+/gu, "$1")
    .trim();
}
