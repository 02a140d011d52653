import type { TransactionView } from "#src/wallet/contract.ts";
import { formatMoney, formatShortMoney } from "../ui/money.ts";
import { formatDate } from "../ui/time-format.ts";
import { useTimeZone } from "../ui/time.tsx";
import { plotOf, PLOT_WIDTH } from "./plot.ts";

/** The balance over the newest transactions, as steps: a balance jumps. */
export function BalancePlot({ transactions }: { transactions: readonly TransactionView[] }) {
  const zone = useTimeZone();
  const moves = [...transactions].reverse();
  const plot = plotOf(moves.map((move) => move.balanceAfterCents));
  const first = moves.at(0);
  const last = moves.at(-1);
  if (plot === null || first === undefined || last === undefined) return null;
  const days = [formatDate(first.createdAt, zone), formatDate(last.createdAt, zone)] as const;
  return (
    <figure>
      <svg className="plot" viewBox="0 0 600 208" width="100%" role="img" aria-label={sayPlot(moves)}>
        {plot.lines.map(({ y, amountCents }) => (
          <g key={amountCents}>
            <path className="grid" d={`M0 ${y}H${PLOT_WIDTH}`} />
            <text x="600" y={y + 4} textAnchor="end">
              {formatShortMoney(amountCents)}
            </text>
          </g>
        ))}
        <path className="area" d={plot.area} />
        <path className="steps" d={plot.steps} />
        <circle cx={plot.end.x} cy={plot.end.y} r="8" />
        <text x="0" y="204">
          {days[0]}
        </text>
        <text x={PLOT_WIDTH} y="204" textAnchor="end">
          {days[1]}
        </text>
      </svg>
    </figure>
  );
}

function sayPlot(moves: readonly TransactionView[]): string {
  const balances = moves.map((move) => move.balanceAfterCents);
  const [from = 0] = balances;
  const to = balances.at(-1) ?? 0;
  return `Balance from ${formatMoney(from)} to ${formatMoney(to)}, lowest ${formatMoney(
    Math.min(...balances),
  )}, highest ${formatMoney(Math.max(...balances))}`;
}
