import type { CSSProperties, MouseEvent, ReactNode } from "react";
import { formatLength } from "./plan-times.ts";

export type StripBlock = {
  id: number;
  position: number;
  opensAtSeconds: number;
  closesAtSeconds: number;
  look: string;
  /** It may open later than drawn. */
  atLeast?: boolean;
};

type TimelineStripProps = {
  blocks: readonly StripBlock[];
  /** From the start to the end of the show. */
  seconds: number;
  /** How many events there are and how long they take: beside the title, and read instead of the drawing. */
  total: string;
  /** The name of the drawing, which scrolls. */
  label: string;
  onClick?: (click: MouseEvent) => void;
  children?: ReactNode;
};
type OffsetStyle = CSSProperties & { "--a": string; "--w"?: string };

const STEPS = [
  10, 15, 30, 60, 120, 180, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400, 172_800,
  604_800,
];
const TICKS = 6;
const BLOCK_MIN_PX = 26;
const STRIP_MAX_PX = 12_000;
const TICK_PX = 120;
const LENGTH_MIN_S = 60;

/** A show to scale: a block for each event, as wide as it is open, on a line from the start to the end. */
export function TimelineStrip({ blocks, seconds, total, label, onClick, children }: TimelineStripProps) {
  const { lengthSeconds, widthPx, ticks } = scaleOf(blocks, seconds);
  const strip: CSSProperties & { "--strip": string } = { "--strip": `${widthPx}px` };
  return (
    <section className="panel pad timeline" aria-label="Timeline">
      <div className="row">
        <h2>Timeline</h2>
        <span className="push small ink2 num">{total}</span>
      </div>
      <div className="strip-window" tabIndex={0} role="group" aria-label={label}>
        <div className="strip" style={strip} role="img" aria-label={total} onClick={onClick}>
          {ticks.map((at) => (
            <i key={at} className="tick num" style={offsetStyle(at, lengthSeconds)}>
              {formatLength(at)}
            </i>
          ))}
          {blocks.map(({ id, position, opensAtSeconds, closesAtSeconds, look, atLeast }) => (
            <i
              key={id}
              className={atLeast === true ? `ev ${look} later` : `ev ${look}`}
              data-id={id}
              style={offsetStyle(opensAtSeconds, lengthSeconds, closesAtSeconds - opensAtSeconds)}
            >
              {position}
            </i>
          ))}
        </div>
      </div>
      {children}
    </section>
  );
}

type Scale = { lengthSeconds: number; widthPx: number; ticks: number[] };

/** The shortest event is wide enough for its number; the drawing of a long show scrolls. */
function scaleOf(blocks: readonly StripBlock[], seconds: number): Scale {
  const open = blocks.map(({ opensAtSeconds, closesAtSeconds }) => closesAtSeconds - opensAtSeconds);
  const shortest = Math.min(LENGTH_MIN_S, ...open.filter((length) => length > 0));
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
