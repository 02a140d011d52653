import type { PayoutGroupView } from "#src/settlements/schemas.ts";
import { formatCount } from "../ui/count.ts";
import { SideShape } from "../ui/icon.tsx";
import { formatMoney } from "../ui/money.ts";
import * as texts from "./calls-texts.ts";
import type { SettlementData } from "./load-settlement.ts";

/** The payouts without names. Calls with the same side, wager and payout share a row. */
export function PayoutTable({ data }: { data: SettlementData }) {
  const { payouts, payoutGroupsCount, event } = data;
  if (payouts.length === 0) return <p className="body ink2 small">{texts.noPayouts}</p>;
  const labels = { true: event.trueLabel, false: event.falseLabel };
  const others = payoutGroupsCount - payouts.length;
  return (
    <>
      <table className="table num">
        <thead>
          <tr>
            <th scope="col">{texts.called}</th>
            <th scope="col" className="end">
              {texts.wager}
            </th>
            <th scope="col" className="end">
              {texts.paid}
            </th>
            <th scope="col" className="end">
              {texts.callsColumn}
            </th>
          </tr>
        </thead>
        <tbody>
          {payouts.map((group) => (
            <PayoutRow key={keyOf(group)} group={group} label={labels[group.side]} />
          ))}
        </tbody>
      </table>
      {others > 0 ? <p className="body ink2 small">{texts.moreAmounts(others)}</p> : null}
    </>
  );
}

function PayoutRow({ group, label }: { group: PayoutGroupView; label: string }) {
  const { side, outcome, wagerCents, payoutCents, callsCount } = group;
  return (
    <tr>
      <td>
        <span className="side-mark">
          <SideShape side={side} />
          {label}
        </span>
        {outcome === "refunded" ? <span className="tiny muted"> {texts.refundedMark}</span> : null}
      </td>
      <td className="end">{formatMoney(wagerCents)}</td>
      <td className="end strong">{formatMoney(payoutCents)}</td>
      <td className="end ink2">{formatCount(callsCount)}</td>
    </tr>
  );
}

function keyOf({ side, outcome, wagerCents, payoutCents }: PayoutGroupView): string {
  return `${side}-${outcome}-${wagerCents}-${payoutCents}`;
}
