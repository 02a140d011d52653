const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

type Parts = Record<"year" | "month" | "monthName" | "day" | "hour" | "minute" | "second", string>;

const formatters = new Map<string, Intl.DateTimeFormat>();
const FORMATTERS_MAX = 500;
const MINUTE_MS = 60_000;

/** "2026-11-21" */
export function formatDate(at: string, timeZone: string): string {
  const { year, month, day } = partsOf(at, timeZone);
  return `${year}-${month}-${day}`;
}

// Decision: one clock on all pages, of twelve hours, as the helper for dates has it. Seconds and what is finer are where they decide.

/** "21 Nov 8:04 AM", with seconds "21 Nov 8:04:12 AM" */
export function formatMoment(at: string, timeZone: string, { seconds = false } = {}): string {
  const parts = partsOf(at, timeZone);
  return `${Number(parts.day)} ${parts.monthName} ${onTheClock(parts, seconds ? `:${parts.second}` : "")}`;
}

/** "8:14 PM" */
export function formatTime(at: string, timeZone: string): string {
  return onTheClock(partsOf(at, timeZone));
}

/** "8:14:30 PM" */
export function formatClock(at: string, timeZone: string): string {
  const parts = partsOf(at, timeZone);
  return onTheClock(parts, `:${parts.second}`);
}

/** "8:14:30.382 PM"; with one digit "8:14:30.3 PM", which is cut off and not rounded. */
export function formatClockMs(at: string, timeZone: string, digits = 3): string {
  const parts = partsOf(at, timeZone);
  const milliseconds = String(new Date(at).getUTCMilliseconds()).padStart(3, "0");
  return onTheClock(parts, `:${parts.second}.${milliseconds.slice(0, digits)}`);
}

/** "20:14:30", as fields of forms have it. */
export function formatDayTime(at: string, timeZone: string): string {
  const { hour, minute, second } = partsOf(at, timeZone);
  return `${hour}:${minute}:${second}`;
}

function onTheClock({ hour, minute }: Parts, after = ""): string {
  const hours = Number(hour);
  return `${hours % 12 || 12}:${minute}${after} ${hours < 12 ? "AM" : "PM"}`;
}

/** The cookie with the browser's time zone. Its script sets it, so a browser that sends it runs scripts. */
export const TIME_ZONE_COOKIE = "time_zone";

const ZONES_MAX = 1_000;
const knownZones = new Set<string>();

export function isTimeZone(name: string): boolean {
  if (knownZones.has(name)) return true;
  if (!canFormat(name)) return false;
  if (knownZones.size < ZONES_MAX) knownZones.add(name);
  return true;
}

function canFormat(name: string): boolean {
  try {
    return /^[\w+/-]{1,64}$/.test(name) && formatterFor(name).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** The browser's own zone, formatted without `Intl`, whose first formatter takes a phone a fifth of a second. Null: unknown. */
let ownZone: string | null = null;

export function setOwnZone(timeZone: string): void {
  ownZone = timeZone;
}

/** Always formats the same fields, so that server and browser produce the same text whatever their locale data. */
function partsOf(at: string, timeZone: string): Parts {
  const time = new Date(at);
  if (timeZone === "UTC") return partsIn(time);
  if (timeZone === ownZone) return partsIn(new Date(time.getTime() - time.getTimezoneOffset() * MINUTE_MS));
  const parts = new Map<string, string>();
  for (const { type, value } of formatterFor(timeZone).formatToParts(time)) parts.set(type, value);
  const read = (type: string) => parts.get(type) ?? "";
  return partsIn(
    `${read("year")}-${read("month")}-${read("day")}T${read("hour")}:${read("minute")}:${read("second")}`,
  );
}

/** The parts of a time in UTC, or of "2026-11-21T20:14:30". */
function partsIn(time: Date | string): Parts {
  const text = typeof time === "string" ? time : time.toISOString();
  const [date = "", clock = ""] = text.split("T");
  const [year = "", month = "", day = ""] = date.split("-");
  const [hour = "", minute = "", second = ""] = clock.slice(0, "20:14:30".length).split(":");
  return { year, month, monthName: months[Number(month) - 1] ?? "", day, hour, minute, second };
}

/** Formatters are cached: creating one costs far more than using it. */
function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat("en-US", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  if (formatters.size < FORMATTERS_MAX) formatters.set(timeZone, formatter);
  return formatter;
}
