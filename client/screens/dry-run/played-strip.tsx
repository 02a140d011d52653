import { formatLength } from "#client/blueprints/plan-times.ts";
import { TimelineStrip } from "#client/blueprints/timeline-strip.tsx";
import type { ShownReport } from "#src/dry-runs/schemas.ts";
import * as texts from "./dry-run-texts.ts";

/** The show as it was played, to scale. */
export function PlayedStrip({ report }: { report: ShownReport }) {
  const { events, summary } = report;
  const seconds = Math.max(1, summary.lengthMs / 1_000);
  const rushed = new Set(report.rushed.map(({ event }) => event));
  const blocks = events.flatMap(({ event, openedAtMs, closedAtMs }) =>
    openedAtMs === null || closedAtMs === null
      ? []
      : {
          id: event,
          position: event,
          opensAtSeconds: openedAtMs / 1_000,
          closesAtSeconds: closedAtMs / 1_000,
          look: rushed.has(event) ? "bad" : "",
        },
  );
  return (
    <TimelineStrip
      blocks={blocks}
      seconds={seconds}
      total={texts.drawn(events.length, formatLength(seconds))}
      label={texts.timeline}
    >
      <p className="tiny ink2">{texts.drawnHint}</p>
    </TimelineStrip>
  );
}
