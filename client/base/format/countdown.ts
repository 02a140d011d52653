const SECOND_MS = 1_000;
const TENTHS_BELOW_MS = 5_000;
const MINUTES_FROM_S = 100;

/** The digits of a countdown: tenths below 5 s, whole seconds up to 99, then m:ss. Never negative. */
export function countdown(leftMs: number): string {
  const left = Math.max(0, leftMs);
  if (left === 0) return "0";
  if (left < TENTHS_BELOW_MS) return (Math.ceil(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / SECOND_MS);
  return seconds < MINUTES_FROM_S ? String(seconds) : minutes(left);
}

/** "0:05", "21:46", "1:02:09" */
export function minutes(leftMs: number): string {
  const seconds = Math.ceil(Math.max(0, leftMs) / SECOND_MS);
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
