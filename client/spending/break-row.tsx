import { Link } from "react-router";
import { formatMoment } from "../base/format/time-format.ts";
import { useTimeZone } from "../base/format/time-zone.ts";
import { useServerTime } from "../base/live/clock.ts";
import { useViewer } from "../base/page/context.ts";

export const SPENDING_PATH = "/profile/wallet/spending";

/** Until when the viewer is on a break; null for none, and once it is over. @param renderedAt the server's time of the page. */
export function useBreak(renderedAt: string): string | null {
  const until = useViewer()?.breakUntil ?? null;
  return useServerTime((nowMs) => (until !== null && nowMs < Date.parse(until) ? until : null), renderedAt);
}

/** Shown instead of the wager on a break: until when, and the way to it. It is code of the Action page, so it imports what that has. */
export function BreakRow({ until }: { until: string }) {
  return (
    <div className="wager watcher" role="group" aria-label="Your break">
      <p className="small">{`You are on a break until ${formatMoment(until, useTimeZone())}.`}</p>
      <Link className="btn ghost wide" to={SPENDING_PATH}>
        Your break
      </Link>
    </div>
  );
}
