import { Link } from "react-router";
import { useServerTime } from "../base/live/clock.ts";
import { useViewer } from "../base/page/context.ts";
import { fill } from "../ui/fill.tsx";
import { Moment } from "../ui/time.tsx";

/** The page of limits, breaks and sums. */
export const SPENDING_PATH = "/profile/wallet/spending";

/** Until when the viewer is on a break; null for none, and once it is over. @param renderedAt the server's time of the page. */
export function useBreak(renderedAt: string): string | null {
  const until = useViewer()?.breakUntil ?? null;
  return useServerTime((nowMs) => (until !== null && nowMs < Date.parse(until) ? until : null), renderedAt);
}

/** Shown instead of the wager on a break: until when, and the way to it. */
export function BreakRow({ until }: { until: string }) {
  return (
    <div className="wager watcher" role="group" aria-label="Your break">
      <p className="small">{fill("You are on a break until {at}.", { at: <Moment at={until} /> })}</p>
      <Link className="btn ghost wide" to={SPENDING_PATH}>
        Your break
      </Link>
    </div>
  );
}
