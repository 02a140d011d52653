const TENTHS_BELOW_MS = 5_000;
const MINUTES_FROM_S = 100;
const DAYS_FROM_S = 172_800;
/** Shorter times are said in seconds. */
const SECONDS_UP_TO_S = 120;
const units = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
] as const;

/** How long something is open, by its two largest units: "30 s", "10 min", "2 d 4 h". */
export function durationText(seconds: number): string {
  if (seconds <= SECONDS_UP_TO_S) return `${seconds} s`;
  const largest = units.findIndex(([length]) => length <= seconds);
  const parts = units.slice(largest, largest + 2).flatMap(([length, unit], index) => {
    const count = Math.floor((index === 0 ? seconds : seconds % (units[largest]?.[0] ?? 1)) / length);
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  return parts.join(" ");
}

/** The digits of a countdown: tenths below 5 s, whole seconds up to 99, then m:ss. Never negative. */
export function countdown(leftMs: number): string {
  const left = Math.max(0, leftMs);
  if (left === 0) return "0";
  if (left < TENTHS_BELOW_MS) return (Math.ceil(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / 1_000);
  return seconds < MINUTES_FROM_S ? String(seconds) : minutes(left);
}

/** "0:05", "21:46", "1:02:09", from two days on "2 d 4 h" */
export function minutes(leftMs: number): string {
  const seconds = Math.ceil(Math.max(0, leftMs) / 1_000);
  if (seconds >= DAYS_FROM_S) return durationText(seconds);
  const pad = (part: number) => String(part).padStart(2, "0");
  const hours = Math.floor(seconds / 3_600);
  const rest = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${pad(rest)}:${pad(seconds % 60)}` : `${rest}:${pad(seconds % 60)}`;
}

/** The class that keeps longer digits inside the clock. */
export function digitsClass(digits: string): string {
  if (digits.length > 5) return "longest";
  if (digits.length > 4) return "longer";
  return digits.includes(":") ? "long" : "";
}
