import type { CSSProperties } from "react";
import { formatShortMoney } from "#client/base/format/money.ts";
import type { Side } from "#db/lists/spots.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { Icon } from "./icon.tsx";

type Pool = EventView["pool"];
type PoolBarProps = {
  event: Pick<EventView, "pool" | "trueLabel" | "falseLabel">;
  /** The side that the pool flows to: the viewer has won with it. */
  to?: Side | undefined;
};

/** An event's pool as a bar of its two sides. True is always left. */
export function PoolBar({ event: { pool, trueLabel, falseLabel }, to }: PoolBarProps) {
  const share = shareOfTrue(pool);
  const empty = pool.total === 0;
  const money = { true: formatShortMoney(pool.trueCents), false: formatShortMoney(pool.falseCents) };
  const percent = sharesInPercent(share);
  const label = `Pool: ${trueLabel} ${percent.true}, ${money.true}. ${falseLabel} ${percent.false}, ${money.false}`;
  return (
    <div className={empty ? "pool empty" : "pool"}>
      {/* Other figures are other elements: they come, and do not move what is there. */}
      <div className="ends" translate="no">
        <span key={`true ${percent.true}${money.true}`}>
          <Icon name="true" size="s" className="shape-true" /> {empty ? null : <b>{percent.true}</b>}{" "}
          <span className="ink2">{money.true}</span>
        </span>
        <span key={percent.false + money.false}>
          <span className="ink2">{money.false}</span> {empty ? null : <b>{percent.false}</b>}{" "}
          <Icon name="false" size="s" className="shape-false" />
        </span>
      </div>
      <Bar share={to === undefined ? share : Number(to === "true")} label={label} />
    </div>
  );
}

export function NoPool({ text }: { text: string }) {
  return (
    <div className="pool empty">
      <div className="ends">
        <span className="ink2">{text}</span>
      </div>
      <Bar share={0.5} label={text} />
    </div>
  );
}

/** Both shares in whole percent, which add up to 100. @param share True's, from 0 to 1. */
export function sharesInPercent(share: number): { true: string; false: string } {
  const rounded = Math.round(share * 100);
  return { true: `${rounded}%`, false: `${100 - rounded}%` };
}

/** The share of True in the pool, from 0 to 1; 0.5 for an empty pool. */
export function shareOfTrue(pool: Pool): number {
  return pool.total > 0 ? pool.true / pool.total : 0.5;
}

function Bar({ share, label }: { share: number; label: string }) {
  const style: CSSProperties & { "--t": string } = { "--t": share.toFixed(4) };
  return (
    <div className="bar" role="img" aria-label={label} style={style}>
      <i />
      <i />
    </div>
  );
}
