import { autoResults, startModes, type AutoResult, type StartMode } from "#db/lists/events.ts";

const NUMBER = String.raw`\d+(?:[.,]\d+)?`;
const plain = new RegExp(`^-?${NUMBER}$`);
const clock = /^(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d)$/;
const units = new RegExp(
  `^(?:(${NUMBER})\\s*(?:h|hrs?|hours?)\\.?)?\\s*(?:(${NUMBER})\\s*(?:m|mins?|minutes?)\\.?)?\\s*` +
    `(?:(${NUMBER})\\s*(?:s|secs?|seconds?|sek)\\.?)?$`,
);
/** "1 hour 30 minutes 15 seconds" has 28. What is longer is no duration, and blanks in it could be divided in many ways. */
const DURATION_LENGTH_MAX = 40;
const MINUTE = 60;
const HOUR = 3_600;

/**
 * Seconds as people and spreadsheets write them: "30", "7,5", "0:30", "30 s", "1 min", "1m30s", 1'30", "12:00:30 AM". Null for any other
 * text.
 */
export function readSeconds(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed.length > DURATION_LENGTH_MAX) return null;
  const written = trimmed
    .toLowerCase()
    .replace(/^12(:\d\d:\d\d)\s?am$/, "0$1")
    .replace(/(?<=\d)(?:"|\u2033|''|\u2032\u2032)$/, "s")
    .replace(/(?<=\d)['\u2032](?=\d|$)/, "m");
  if (plain.test(written)) return decimal(written);
  const time = clock.exec(written);
  if (time !== null) {
    const [, hours = "0", minutes = "0", seconds = "0"] = time;
    return Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds);
  }
  const named = units.exec(written);
  if (named === null || written === "") return null;
  const [, hours = "0", minutes = "0", seconds = "0"] = named;
  const exact = decimal(hours) * HOUR + decimal(minutes) * MINUTE + decimal(seconds);
  return Math.round(exact * 1_000) / 1_000;
}

/** Dollars as people write them: "5", "$1.50", "1,50", "1.234,50", "1,000". Null for any other text. */
export function readDollars(text: string): number | null {
  const written = text.replaceAll(/[\s$\u00A0\u202F']/g, "").replace(/(USD|dollars?)$/i, "");
  if (/^-?\d+([.,]\d{1,2})?$/.test(written)) return decimal(written);
  if (/^-?\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(written)) return Number(written.replaceAll(",", ""));
  if (/^-?\d{1,3}(\.\d{3})+(,\d{1,2})?$/.test(written)) return decimal(written.replaceAll(".", ""));
  return /^-?\d+\.\d+$/.test(written) ? Number(written) : null;
}

const startWords: readonly [RegExp, StartMode][] = [
  [/^(?:after[ _-]?)?(?:the[ _-]?)?(?:previous|before)(?: one)?(?: (?:has )?closed)?/, "after_previous"],
  [/^after[ _-]?(?:the[ _-]?)?result/, "after_result"],
  [/^(?:by[ _-]?hand|when i start it|manual(?:ly)?|host)/, "by_hand"],
  [/^(?:at[ _-]?)?offset/, "offset"],
  [/^at(?= )/, "offset"],
  [/^after(?= )/, "after_previous"],
];

/** When an action starts: "after previous", "after result 10 s", "at 2:00", "by hand". Null for any other text. */
export function readStart(text: string): { mode: StartMode; seconds: number | null } | null {
  const written = text.trim().toLowerCase();
  if (clock.test(written)) return { mode: "offset", seconds: readSeconds(written) };
  const exact = startModes.find((mode) => mode === written);
  if (exact !== undefined) return { mode: exact, seconds: null };
  for (const [words, mode] of startWords) {
    const found = words.exec(written);
    if (found === null) continue;
    const rest = written.slice(found[0].length).replace(/^[\s,;:+]+/, "");
    const seconds = rest === "" ? null : readSeconds(rest);
    return rest !== "" && seconds === null ? null : { mode, seconds };
  }
  return null;
}

/** The planned result of an action; null for any other text. */
export function readResult(text: string): AutoResult | null {
  const written = text.trim().toLowerCase();
  return autoResults.find((result) => result === written) ?? null;
}

function decimal(text: string): number {
  return Number(text.replace(",", "."));
}
