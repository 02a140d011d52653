import type { CSSProperties } from "react";
import { formatLength } from "#client/blueprints/plan-times.ts";
import type { ShownReport } from "#src/dry-runs/schemas.ts";
import * as texts from "./dry-run-texts.ts";

type StripStyle = CSSProperties & { "--strip": string };
type OffsetStyle = CSSProperties & { "--a": string; "--w"?: string };

const BLOCK_MIN_PX = 26;
const STRIP_MAX_PX = 12_000;
const TICK_PX = 120;
const TICKS_MIN = 5;
const STEPS_S = [10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400, 43_200];

/** The show as it was played, to scale: a block for each action while it was open. */
export function PlayedStrip({ report }: { report: ShownReport }) {
  const { events, summary } = report;
  const lengthSeconds = Math.max(1, summary.lengthMs / 1_000);
  const total = texts.drawn(events.length, formatLength(lengthSeconds));
  const rushed = new Set(report.rushed.map(({ event }) => event));
  const widthPx = widthOf(report, lengthSeconds);
  const strip: StripStyle = { "--strip": `${widthPx}px` };
  return (
    <section className="panel pad timeline" aria-label={texts.timeline}>
      <div className="row">
        <h2>{texts.timeline}</h2>
        <span className="push small ink2 num">{total}</span>
      </div>
      <div className="strip-window" tabIndex={0} role="group" aria-label={texts.timeline}>
        <div className="strip" style={strip} role="img" aria-label={total}>
          {ticksOf(lengthSeconds, widthPx).map((second) => (
            <i key={second} className="tick num" style={offset(second / lengthSeconds)}>
              {formatLength(second)}
            </i>
          ))}
          {events.map(({ event, openedAtMs, closedAtMs }) =>
            openedAtMs === null || closedAtMs === null ? null : (
              <i
                key={event}
                className={rushed.has(event) ? "ev bad" : "ev"}
                style={offset(openedAtMs / summary.lengthMs, (closedAtMs - openedAtMs) / summary.lengthMs)}
              >
                {event}
              </i>
            ),
          )}
        </div>
      </div>
      <p className="tiny ink2">{texts.drawnHint}</p>
    </section>
  );
}

/** The shortest action is wide enough for its number; the drawing of a long show scrolls. */
function widthOf({ events }: ShownReport, lengthSeconds: number): number {
  const shortest = Math.min(
    lengthSeconds,
    ...events.map(({ openedAtMs, closedAtMs }) => ((closedAtMs ?? 0) - (openedAtMs ?? 0)) / 1_000 || 60),
  );
  return Math.min(STRIP_MAX_PX, Math.ceil((lengthSeconds / shortest) * BLOCK_MIN_PX));
}

function ticksOf(lengthSeconds: number, widthPx: number): number[] {
  const ticksMax = Math.max(TICKS_MIN, Math.floor(widthPx / TICK_PX));
  const step = STEPS_S.find((candidate) => lengthSeconds / candidate <= ticksMax) ?? lengthSeconds;
  return Array.from({ length: Math.ceil(lengthSeconds / step) }, (_, index) => index * step);
}

function offset(at: number, width?: number): OffsetStyle {
  const percent = (part: number) => (part * 100).toFixed(3);
  return width === undefined ? { "--a": percent(at) } : { "--a": percent(at), "--w": percent(width) };
}
