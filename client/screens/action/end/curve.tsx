import { formatChange } from "#client/base/format/money.ts";
import { drawCurve } from "#src/shares/contract.ts";
import { endTexts } from "./end-texts.ts";

const SIZE = { width: 240, height: 48 };
const EDGE = 6;

/** The viewer's net over the session as steps, with a line at zero. Screen readers get the numbers. */
export function Curve({ curveCents }: { curveCents: readonly number[] }) {
  const { steps, zeroY, end } = drawCurve(curveCents, SIZE);
  const label = endTexts.curve(
    curveCents.length,
    formatChange(curveCents.at(-1) ?? 0),
    formatChange(Math.max(0, ...curveCents)),
    formatChange(Math.min(0, ...curveCents)),
  );
  return (
    <svg
      className="plot curve"
      viewBox={`${-EDGE} ${-EDGE} ${SIZE.width + 2 * EDGE} ${SIZE.height + 2 * EDGE}`}
      role="img"
      aria-label={label}
    >
      <path className="grid" d={`M0 ${zeroY}H${SIZE.width}`} />
      <path className="steps" d={steps} />
      <circle cx={end.x} cy={end.y} r="5" />
    </svg>
  );
}
