import { useId, useState } from "react";
import { formatShortMoney } from "#client/base/format/money.ts";
import { formatDate, formatMoment } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as texts from "#client/wallet/wallet-texts.ts";
import type { TransactionView } from "#src/money/wallet/schemas.ts";
import type { Plot } from "./plot.ts";

/**
 * What could be wagered after each of the newest transactions, drawn as steps. A slider over the drawing selects a step by touch, mouse or arrow
 * keys. The table of transactions below contains the same numbers.
 */
export function BalancePlot({
  plot,
  transactions,
}: {
  plot: Plot;
  transactions: readonly TransactionView[];
}) {
  const [chosen, setChosen] = useState<number | null>(null);
  const zone = useTimeZone();
  const id = useId();
  const movements = [...transactions].reverse();
  const at = Math.min(chosen ?? movements.length - 1, movements.length - 1);
  const description = describeMovement(movements[at], zone);
  return (
    <figure>
      <div className="plot-box">
        <Drawing plot={plot} movements={movements} at={at} id={id} />
        <input
          type="range"
          aria-label={texts.movement}
          aria-valuetext={description}
          min={0}
          max={movements.length - 1}
          value={at}
          onChange={({ currentTarget }) => setChosen(currentTarget.valueAsNumber)}
        />
      </div>
      <figcaption className="small ink2 num">{description}</figcaption>
    </figure>
  );
}

type DrawingProps = { plot: Plot; movements: readonly TransactionView[]; at: number; id: string };

function Drawing({ plot, movements, at, id }: DrawingProps) {
  const zone = useTimeZone();
  const [first, last] = [movements.at(0), movements.at(-1)];
  const point = plot.points[at];
  return (
    <svg
      className="plot"
      viewBox="0 0 600 208"
      width="100%"
      role="img"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-desc`}
    >
      <title id={`${id}-title`}>{texts.plotTitle(movements.length)}</title>
      <desc id={`${id}-desc`}>{describePlot(movements)}</desc>
      {plot.lines.map(({ y, amountCents }) => (
        <g key={amountCents}>
          <path className="grid" d={`M0 ${y}H${plot.width}`} />
          <text x="600" y={y + 4} textAnchor="end">
            {formatShortMoney(amountCents)}
          </text>
        </g>
      ))}
      <path className="area" d={plot.area} />
      <path className="steps" d={plot.steps} />
      {point === undefined ? null : (
        <circle cx={at === movements.length - 1 ? plot.width : point.x} cy={point.y} r="8" />
      )}
      <text x="0" y="204">
        {first === undefined ? null : formatDate(first.createdAt, zone)}
      </text>
      <text x={plot.width} y="204" textAnchor="end">
        {last === undefined ? null : formatDate(last.createdAt, zone)}
      </text>
    </svg>
  );
}

/** "21 Nov 8:04 AM: +$7.12, available $107.12" */
function describeMovement(movement: TransactionView | undefined, zone: string): string {
  if (movement === undefined) return "";
  const { createdAt, amountCents, availableAfterCents } = movement;
  const when = formatMoment(createdAt, zone);
  return texts.movementSpoken(when, amountCents, availableAfterCents);
}

function describePlot(movements: readonly TransactionView[]): string {
  const amounts = movements.map((movement) => movement.availableAfterCents);
  const [from = 0] = amounts;
  const to = amounts.at(-1) ?? 0;
  const [lowest, highest] = [Math.min(...amounts), Math.max(...amounts)];
  return texts.plotSummary(from, to, lowest, highest);
}
