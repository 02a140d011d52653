import { formatClockMs, formatDate, formatMoment } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";

/** "21 Nov 8:04 AM" in the reader's time zone. */
export function Moment({ at }: { at: string }) {
  const zone = useTimeZone();
  return <time dateTime={at}>{formatMoment(at, zone)}</time>;
}

/** "21 Nov 8:04:12 AM" in the reader's time zone, where seconds decide. */
export function ExactMoment({ at }: { at: string }) {
  const zone = useTimeZone();
  return <time dateTime={at}>{formatMoment(at, zone, { seconds: true })}</time>;
}

/** "8:10:41.382 PM" in the reader's time zone. @param day shown nearby; for a time on another day the date is added. */
export function ClockTime({ at, day }: { at: string; day: string }) {
  const zone = useTimeZone();
  const date = formatDate(at, zone);
  const clock = formatClockMs(at, zone);
  return <time dateTime={at}>{date === day ? clock : `${date} ${clock}`}</time>;
}
