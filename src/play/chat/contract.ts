/** The shortest time between two messages of a player, in all sessions together. */
export const MESSAGE_EVERY_SECONDS = 2;
/** Messages per page of the chat. */
export const MESSAGES_SHOWN = 50;
/** The choices for a session's slow mode, in seconds between two messages of one player; 0 is off. */
export const slowModes = [0, 5, 10, 30, 60] as const;

export const MUTE_MINUTES_MAX = 1_440;
export const MUTE_REASON_LENGTH_MAX = 200;

const MANY_ACCENTS = /(\p{M}{3})\p{M}+/gu;

/**
 * A message as one line of plain text: without control characters, marks that change the reading direction, and more than
 * three combining accents on a letter. Accents are cut before they are sorted by `normalize`, which takes quadratic time for many
 * on one letter, and once more after it, because it makes two of some.
 */
export function cleanText(text: string): string {
  return text
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " ")
    .replaceAll(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\p{Cs}/gu, "")
    .replaceAll(MANY_ACCENTS, "$1")
    .normalize("NFC")
    .replaceAll(MANY_ACCENTS, "$1")
    .trim();
}
