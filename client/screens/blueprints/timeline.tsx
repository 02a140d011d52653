import { type CSSProperties, memo, type MouseEvent } from "react";
import * as texts from "#client/blueprints/blueprints-texts.ts";
import {
  formatLength,
  lengthText,
  type Planned,
  plannedSeconds,
  planTimes,
} from "#client/blueprints/plan-times.ts";

/** One block per event, as wide as the event is open, on a line from the session's start to its end. */
export type TimelineBlock = Planned & { id: number; look: "" | "sel" | "bad" };

type TimelineProps = {
  events: readonly TimelineBlock[];
  /** Called with the event of a clicked block. */
  select?: (id: number) => void;
};
type StripStyle = CSSProperties & { "--strip": string };
type OffsetStyle = CSSProperties & { "--a": string; "--w"?: string };

const STEPS = [10, 15, 30, 60, 120, 180, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400];
const TICKS = 6;
const BLOCK_MIN_PX = 26;
const STRIP_MAX_PX = 12_000;
const TICK_PX = 120;
const LENGTH_MIN_S = 60;

/** The plan as a drawing; the table has the same information as text. An event that waits is drawn where it opens at the earliest. */
export const Timeline = memo(function Timeline({ events, select }: TimelineProps) {
  const seconds = plannedSeconds(events);
  const total = texts.actionsInAll(events.length, lengthText(events));
  const scale = scaleOf(events, seconds);
  const strip: StripStyle = { "--strip": `${scale.widthPx}px` };
  const choose = (event: MouseEvent) => {
    const id = event.target instanceof HTMLElement ? event.target.dataset["id"] : undefined;
    if (id !== undefined) select?.(Number(id));
  };
  return (
    <section className="panel pad timeline" aria-label={texts.timeline}>
      <div className="row">
        <h2>{texts.timeline}</h2>
        <span className="push small ink2 num">{total}</span>
      </div>
      <div className="strip-window" tabIndex={0} role="group" aria-label={texts.planToScale}>
        <div className="strip" style={strip} role="img" aria-label={total} onClick={choose}>
          {scale.ticks.map((at) => (
            <i key={at} className="tick num" style={offsetStyle(at, scale.lengthSeconds)}>
              {formatLength(at)}
            </i>
          ))}
          {planTimes(events).map(({ opensAtSeconds, closesAtSeconds, atLeast }, index) => (
            <i
              key={events[index]?.id}
              className={`ev ${events[index]?.look ?? ""}${atLeast ? " later" : ""}`}
              data-id={events[index]?.id}
              style={offsetStyle(opensAtSeconds, scale.lengthSeconds, closesAtSeconds - opensAtSeconds)}
            >
              {index + 1}
            </i>
          ))}
        </div>
      </div>
    </section>
  );
});

type Scale = { lengthSeconds: number; widthPx: number; ticks: number[] };

/** The shortest event is wide enough for its number; the drawing of a long show scrolls. */
function scaleOf(events: readonly Planned[], seconds: number): Scale {
  const shortest = Math.min(LENGTH_MIN_S, ...events.map(({ durationSeconds }) => durationSeconds));
  const length = Math.max(seconds, LENGTH_MIN_S);
  const widthPx = Math.min(STRIP_MAX_PX, Math.ceil((length / shortest) * BLOCK_MIN_PX));
  const ticksMax = Math.max(TICKS, Math.floor(widthPx / TICK_PX));
  const step = STEPS.find((candidate) => length / candidate <= ticksMax) ?? length;
  const lengthSeconds = Math.ceil(length / step) * step;
  const ticks = Array.from({ length: lengthSeconds / step }, (_, index) => index * step);
  return { lengthSeconds, widthPx, ticks };
}

function offsetStyle(atSeconds: number, lengthSeconds: number, widthSeconds?: number): OffsetStyle {
  const percent = (part: number) => ((part / lengthSeconds) * 100).toFixed(3);
  const offset = { "--a": percent(atSeconds) };
  return widthSeconds === undefined ? offset : { ...offset, "--w": percent(widthSeconds) };
}
