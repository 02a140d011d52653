const TENTH_MS = 100;
const SECOND_MS = 1_000;

/** A moment as a stamp prints it: "8:14:03.4 PM", and "22 Nov 2026, GMT+1". */
export type Stamp = { clock: string; day: string };

/** Formats a moment in a time zone. Tenths of a second are truncated, as on the play screen. */
export function formatStamp(at: string, timeZone: string): Stamp {
  const time = new Date(at);
  // "8:14:03" and "PM", between which there is a blank of its own.
  const [clock, half] = time.toLocaleTimeString("en-US", { timeZone }).split(/\s/u);
  const zone = new Intl.DateTimeFormat("en-GB", { timeZone, timeZoneName: "short" })
    .formatToParts(time)
    .find(({ type }) => type === "timeZoneName")?.value;
  return {
    clock: `${clock}.${Math.floor((time.getTime() % SECOND_MS) / TENTH_MS)} ${half}`,
    day: `${formatDay(at, timeZone)}, ${zone ?? timeZone}`,
  };
}

/** The day of a moment in a time zone: "22 Nov 2026". */
export function formatDay(at: string, timeZone: string): string {
  return new Date(at).toLocaleDateString("en-GB", {
    timeZone,
    day: "numeric",
    month: "short",
    year: "numeric",
  });
}
