import { formatShortMoney } from "#client/base/format/money.ts";
import { Icon } from "#client/ui/icon.tsx";
import { PoolBar, shareOfTrue, sharesInPercent } from "#client/ui/pool-bar.tsx";
import type { EventView } from "#src/show/events/schemas.ts";

/** The two sides with their labels, their shares and their money, over the pool's bar. True is always left. */
export function StageSides({ event }: { event: EventView }) {
  const { pool, trueLabel, falseLabel } = event;
  const percent = sharesInPercent(shareOfTrue(pool));
  return (
    <section className="both-sides">
      {/* The bar says the same to screen readers. */}
      <div className="side-names" aria-hidden="true">
        <p>
          <Icon name="true" className="shape-true" />
          <span>
            <b dir="auto">{trueLabel}</b>
            <SideSum share={pool.total === 0 ? null : percent.true} cents={pool.trueCents} />
          </span>
        </p>
        <p>
          <span>
            <b dir="auto">{falseLabel}</b>
            <SideSum share={pool.total === 0 ? null : percent.false} cents={pool.falseCents} />
          </span>
          <Icon name="false" className="shape-false" />
        </p>
      </div>
      <PoolBar event={event} />
    </section>
  );
}

function SideSum({ share, cents }: { share: string | null; cents: number }) {
  return (
    <span className="num" translate="no">
      {share === null ? null : <b>{share}</b>} <span>{formatShortMoney(cents)}</span>
    </span>
  );
}
