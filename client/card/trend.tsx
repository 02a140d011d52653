import { useView } from "#client/events/view.ts";
import { say } from "#src/http/contract.ts";
import { shareOfTrue, sharesInPercent } from "../ui/pool-bar.tsx";

const WIDTH = 300;
const HEIGHT = 120;

/** Draws True's share of the pool since this page was opened; on wide cards only, in a figure. */
export function Trend() {
  const { state, event } = useView();
  // Nobody has called: no share has moved.
  if (event === null || event.pool.total === 0) return null;
  const history = state.shares[event.id] ?? [];
  const now = shareOfTrue(event.pool);
  const shares = history.length > 1 ? history : [now, now];
  const range = [shares[0] ?? now, shares.at(-1) ?? now]
    .map((share) => sharesInPercent(share).true)
    .join(" to ");
  const line = shares.map((share, index, all) => point(index / (all.length - 1), share)).join("L");
  return (
    <>
      <figcaption className="row small">
        <span className="muted">{say`${event.trueLabel} share since you came`}</span>
        <b className="push num">{range}</b>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${event.trueLabel} share went from ${range}`}
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
}

function point(progress: number, share: number): string {
  return `${(progress * WIDTH).toFixed(1)} ${((1 - share) * HEIGHT).toFixed(1)}`;
}
