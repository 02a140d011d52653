import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { Icon } from "#client/ui/icon.tsx";
import * as texts from "./stage-texts.ts";
import type { Freshness } from "./use-live-stage.ts";

/** Says when the screen is not connected, and from when its state is if that is old. */
export function ConnectionNote({ freshness, asOf }: { freshness: Freshness; asOf: string }) {
  const zone = useTimeZone();
  const text = freshness === "stale" ? texts.lastKnown(formatClock(asOf, zone)) : texts.reconnecting;
  return (
    <div className="connection" role="status">
      {freshness === "live" ? null : (
        <p className={freshness}>
          <Icon name={freshness === "stale" ? "offline" : "warning"} />
          <span>{text}</span>
        </p>
      )}
    </div>
  );
}
