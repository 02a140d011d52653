import { memo } from "react";
import { useView } from "#client/events/view.ts";
import { say } from "#src/http/contract.ts";
import { shareOfTrue, sharesInPercent } from "../ui/pool-bar.tsx";

/** The texts of the share's trend, whose code comes late. */
const shareTrend = (label: string) => say`${label} share since you came`;

const WIDTH = 300;
const HEIGHT = 120;

/** Draws True's share of the pool since this page was opened; on wide cards only, in a figure. */
function Trend() {
  const { state, event } = useView();
  if (event === null) return null;
  const history = state.shares[event.id] ?? [];
  // Nobody has called: no share has moved.
  if (event.pool.total === 0) return null;
  const shares = history.length > 1 ? history : [shareOfTrue(event.pool), shareOfTrue(event.pool)];
  const [first = 0.5] = shares;
  const last = shares.at(-1) ?? first;
  return <TrendFigure label={event.trueLabel} first={first} last={last} shares={shares} />;
}

type TrendProps = {
  label: string;
  first: number;
  last: number;
  shares: readonly number[];
};

const TrendFigure = memo(function TrendFigure({ label, first, last, shares }: TrendProps) {
  const range = `${sharesInPercent(first).true} to ${sharesInPercent(last).true}`;
  const line = shares.map((share, index, all) => point(index / (all.length - 1), share)).join("L");
  return (
    <>
      <figcaption className="row small">
        <span className="muted">{shareTrend(label)}</span>
        <b className="push num">{range}</b>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label} share went from ${range}`}
      >
        <path d={`M0 0H${WIDTH}V${HEIGHT}H0Z`} fill="var(--false-tint)" />
        <path d={`M${line}V${HEIGHT}H0Z`} fill="var(--true-tint)" />
        <path
          d={`M0 ${HEIGHT / 2}H${WIDTH}`}
          stroke="var(--line-strong)"
          strokeDasharray="2 4"
          vectorEffect="non-scaling-stroke"
        />
        <path
          d={`M${line}`}
          fill="none"
          stroke="var(--ink)"
          strokeWidth="2.5"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </>
  );
});

/** The code that comes once the page is live. */
export const trendParts = { Trend };

function point(progress: number, share: number): string {
  return `${(progress * WIDTH).toFixed(1)} ${((1 - share) * HEIGHT).toFixed(1)}`;
}
