/** Number of rows on a page when the client does not say. */
export const PAGE_SIZE_DEFAULT = 25;
export const PAGE_SIZE_MAX = 100;

/** Of an Idempotency-Key. */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 128;

/** The largest file that is taken: 5 MB. */
export const UPLOAD_BYTES_MAX = 5 * 1_048_576;

/** What Postgres keeps: no NUL, and no half of a character. */
export const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();

/** No 31st of February, which would be read as a day in March; no year that nobody means. */
export function isInCalendar(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split(/\D/, 3).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1970 && year < 3000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Name of the form field, of the meta tag's `csrf-param`, and of the header that carry the anti-forgery token. */
export const CSRF_PARAM = "authenticity_token";
export const CSRF_HEADER = "x-csrf-token";

/** One row of a state table: from which states the transition may start, where it leads, and the word for it. */
export type Transition<State extends string> = { from: readonly State[]; to: State; label: string };

/** A state machine as data: the verbs, the refusals and the pages' buttons all read the same rows. */
export type TransitionTable<Name extends string, State extends string> = Record<Name, Transition<State>>;

/** True if a table of transitions or actions lets `name` start from `state`. */
export function allows<Name extends string, State extends string>(
  table: Record<Name, { from: readonly State[] }>,
  name: Name,
  state: State,
): boolean {
  return table[name].from.includes(state);
}
