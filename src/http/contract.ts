/** Number of rows on a page when the client does not say. */
export const PAGE_SIZE_DEFAULT = 25;
export const PAGE_SIZE_MAX = 100;

export const IDEMPOTENCY_KEY_LENGTH_MAX = 128;

/** The largest file that can be uploaded: 5 MB. */
export const UPLOAD_BYTES_MAX = 5 * 1_048_576;

/** The characters of a text as people count them: an emoji, or a letter with its marks, is one. */
export const charactersOf = (text: string): string[] =>
  Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);

export const shorten = (text: string, max: number) =>
  text.length <= max ? text : charactersOf(text).slice(0, max).join("");

/** Deeper than any JSON that the API takes. */
export const JSON_DEPTH_MAX = 12;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/** How many values a text in JSON has, and how deeply they are nested. It is not parsed, as a parser costs far more or overflows. */
export function measureJson(text: string): { values: number; depth: number } {
  const measured = { values: 0, depth: 0 };
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) measured.values += 1;
    else if (opening.has(code)) {
      measured.values += 1;
      open += 1;
      measured.depth = Math.max(measured.depth, open);
    } else if (closing.has(code)) open -= 1;
  }
  return measured;
}

/** The index of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/** True for text that Postgres can store: no NUL characters and no lone surrogates. */
export const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();

/** True for a date that exists, in the years 1970 to 2999. `Date` itself would read February 31 as a day in March. */
export function isInCalendar(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split(/\D/, 3).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1970 && year < 3000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** The form field (also named by the meta tag `csrf-param`) and the header that carry the anti-forgery token. */
export const CSRF_PARAM = "authenticity_token";
export const CSRF_HEADER = "x-csrf-token";

/**
 * Every cookie of the product. What writes cookies takes no other name, and the page of terms says what each is for. Scripts write
 * the last three.
 */
export const cookieNames = [
  "called_it",
  "called_it_visitor",
  "called_it_browser",
  "called_it_wrote",
  "wager",
  "theme",
  "time_zone",
  "delay",
] as const;
export type CookieName = (typeof cookieNames)[number];

/** The cookie with the seconds that a device is behind its stream. A script sets it; the server covers its pages by it. */
export const DELAY_COOKIE = "delay";
export const DELAY_MAX_S = 120;
export const DELAY_STEP_S = 5;

/** The seconds in that cookie; 0 without it, and for a value that the setting does not offer. */
export function delayIn(value: string | null): number {
  const seconds = Number(value);
  return seconds > 0 && seconds <= DELAY_MAX_S && seconds % DELAY_STEP_S === 0 ? seconds : 0;
}

/** The header of answers to such a device: when anything of the game changed last, in milliseconds since 1970. */
export const CHANGED_AT_HEADER = "x-changed-at";

/** The cookie with the amount of the last call by a form, and whose it is: "7-250". Without JavaScript the next one begins with it. */
export const WAGER_COOKIE = "wager" satisfies CookieName;

/** One transition of a state machine: the states it may start from, the state it leads to, and its label. */
export type Transition<State extends string> = { from: readonly State[]; to: State; label: string };

/** A state machine as data. The verbs, the refusals and the buttons on the pages all read the same table. */
export type TransitionTable<Name extends string, State extends string> = Record<Name, Transition<State>>;

/** True if the table allows the transition or action `name` in `state`. */
export function allows<Name extends string, State extends string>(
  table: Record<Name, { from: readonly State[] }>,
  name: Name,
  state: State,
): boolean {
  return table[name].from.includes(state);
}

/** "spotId" -> "spot_id" */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** "state_event" -> "stateEvent". Names in camelCase stay as they are. */
export function camelCase(name: string): string {
  return name.replaceAll(/(?<=[A-Za-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The longest reason that an admin gives for an act. */
export const REASON_LENGTH_MAX = 500;

export const CENTS_PER_DOLLAR = 100;

/** Formats cents for people, on pages and in mails, messages and pictures: 123450 -> "$1,234.50", -380 -> "-$3.80". */
export function formatMoney(amountCents: number): string {
  const whole = Math.abs(Math.trunc(amountCents));
  const dollars = String(Math.trunc(whole / CENTS_PER_DOLLAR)).replaceAll(/\B(?=(\d{3})+$)/g, ",");
  const cents = String(whole % CENTS_PER_DOLLAR).padStart(2, "0");
  return `${amountCents < 0 ? "-" : ""}$${dollars}.${cents}`;
}

/** What was gained or lost: "+$7.12", "-$5.00", "$0.00". */
export function formatChange(amountCents: number): string {
  return amountCents > 0 ? `+${formatMoney(amountCents)}` : formatMoney(amountCents);
}

/** A letter of a script that runs from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdfd\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A sentence of ours with what people have written in it: say`${username} called ${label}`. What runs from right to left keeps to itself,
 * so that the sentence around it stays as it is (Unicode's isolates). Without such letters it is an ordinary template.
 */
export function say(sentence: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return String.raw({ raw: sentence }, ...values.map((value) => isolated(String(value))));
}

/** A sentence that was said so already is one of ours. */
const isolated = (text: string) =>
  RIGHT_TO_LEFT.test(text) && !text.includes("\u2068") ? `\u2068${text}\u2069` : text;
