import type { CSSProperties } from "react";
import { Icon } from "../ui/icon.tsx";
import { formatShare, formatShortMoney } from "../ui/money.ts";
import { shareOfTrue } from "./estimate.ts";
import { useView } from "./view.ts";

type BarStyle = CSSProperties & { "--t": string };

/** How the money stands: the mark, stretched. */
export function PoolBar() {
  const { event, phase } = useView();
  if (event === null) {
    const words = phase === "stopped" ? "All calls are settled" : "No pool yet";
    return (
      <div className="pool empty">
        <div className="ends">
          <span className="ink2">{words}</span>
        </div>
        <Bar share={0.5} label={words} />
      </div>
    );
  }
  const { pool } = event;
  const share = shareOfTrue(pool);
  const money = { true: formatShortMoney(pool.true * 100), false: formatShortMoney(pool.false * 100) };
  const percent = { true: formatShare(share, { digits: 0 }), false: formatShare(1 - share, { digits: 0 }) };
  const empty = pool.total === 0;
  const label = `Pool: ${event.trueLabel} ${percent.true}, ${money.true}. ${event.falseLabel} ${percent.false}, ${money.false}`;
  return (
    <div className={empty ? "pool empty" : "pool"}>
      <div className="ends">
        <span>
          <Icon name="true" size="s" className="shape-true" /> {empty ? null : <b>{percent.true}</b>}{" "}
          <span className="ink2">{money.true}</span>
        </span>
        <span>
          <span className="ink2">{money.false}</span> {empty ? null : <b>{percent.false}</b>}{" "}
          <Icon name="false" size="s" className="shape-false" />
        </span>
      </div>
      <Bar share={share} label={label} />
    </div>
  );
}

function Bar({ share, label }: { share: number; label: string }) {
  const style: BarStyle = { "--t": share.toFixed(4) };
  return (
    <div className="bar" role="img" aria-label={label} style={style}>
      <i />
      <i />
    </div>
  );
}
