import { formatDate, formatDayTime } from "./time-format.ts";

const DAY_MS = 86_400_000;

/** The value of a datetime-local field in a time zone: "2026-11-21T20:14", with seconds where they are not 0. */
export function toFieldTime(at: string, timeZone: string): string {
  return `${formatDate(at, timeZone)}T${formatDayTime(at, timeZone).replace(/:00$/, "")}`;
}

/**
 * The time that a datetime-local field means in a time zone, in ISO 8601; null where the text is not a time. When the clocks go back, an
 * hour exists twice: the first one is meant. When they go forward, an hour is left out: the later moment is meant, so that 02:30 is
 * what the clocks show an hour later.
 */
export function fromFieldTime(text: string, timeZone: string): string | null {
  const wallMs = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  if (Number.isNaN(wallMs)) return null;
  // The offsets on both sides of a change that may be near.
  const candidates = [-DAY_MS, DAY_MS].map((byMs) => wallMs - offsetMs(wallMs + byMs, timeZone));
  const right = candidates.filter((atMs) => atMs + offsetMs(atMs, timeZone) === wallMs);
  return new Date(right.length > 0 ? Math.min(...right) : Math.max(...candidates)).toISOString();
}

/** How far a time zone is ahead of UTC at a time, in milliseconds. */
function offsetMs(atMs: number, timeZone: string): number {
  return Date.parse(`${toFieldTime(new Date(atMs).toISOString(), timeZone)}Z`) - atMs;
}

/** Reads a local time of a form, in its `time_zone`. Null for an empty field; text that is no time goes to the API as typed. */
export function momentIn(form: FormData, name: string): string | null {
  const [text, zone] = [form.get(name), form.get("time_zone")];
  if (typeof text !== "string" || text === "") return null;
  return (typeof zone === "string" ? fromFieldTime(text, zone) : null) ?? text;
}
