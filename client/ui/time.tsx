import { useSyncExternalStore } from "react";
import { usePage } from "../context.ts";
import { formatClockMs, formatMoment, zoneHere } from "./time-format.ts";

/** "21 Nov 8:04 AM" in the reader's time zone. */
export function Moment({ at }: { at: string }) {
  const zone = useTimeZone();
  return <time dateTime={at}>{formatMoment(at, zone)}</time>;
}

/** "20:10:41.382" in the reader's time zone, where the moment itself decides something. */
export function ClockTime({ at }: { at: string }) {
  const zone = useTimeZone();
  return <time dateTime={at}>{formatClockMs(at, zone)}</time>;
}

/** The reader's time zone: first the one the server wrote the page in, then the browser's own. */
export function useTimeZone(): string {
  const page = usePage();
  return useSyncExternalStore(
    subscribeToNothing,
    () => zoneHere(),
    () => page.timeZone,
  );
}

/** A time zone does not change under an open page. */
function subscribeToNothing() {
  return () => undefined;
}
