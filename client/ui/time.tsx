import { useSyncExternalStore } from "react";
import { usePage } from "../context.ts";
import { formatMoment, zoneHere } from "./time-format.ts";

/** "21 Nov 8:04 AM" in the reader's time zone. */
export function Moment({ at }: { at: string }) {
  const zone = useTimeZone();
  return <time dateTime={at}>{formatMoment(at, zone)}</time>;
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
