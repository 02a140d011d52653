import { formatCount } from "#client/base/format/count.ts";
import { formatMoney } from "#client/base/format/money.ts";
import * as texts from "#client/calls/calls-texts.ts";
import { SideShape } from "#client/ui/icon.tsx";
import { type Column, Table } from "#client/ui/table.tsx";
import type { PayoutGroupView } from "#src/play/settlements/schemas.ts";
import type { SettlementData } from "./load-settlement.ts";

/** The payouts without names. Calls with the same side, wager and payout share a row. */
export function PayoutTable({ data }: { data: SettlementData }) {
  const { payouts, payoutGroupsCount, event } = data;
  if (payouts.length === 0) return <p className="body ink2 small">{texts.noPayouts}</p>;
  const labels = { true: event.trueLabel, false: event.falseLabel };
  const columns: readonly Column<PayoutGroupView>[] = [
    { head: texts.called, cell: (group) => <Called group={group} label={labels[group.side]} /> },
    { head: texts.wager, cell: ({ wagerCents }) => formatMoney(wagerCents), end: true },
    {
      head: texts.paid,
      cell: ({ payoutCents }) => formatMoney(payoutCents),
      end: true,
      cellClass: "strong",
    },
    {
      head: texts.callsColumn,
      cell: ({ callsCount }) => formatCount(callsCount),
      end: true,
      cellClass: "ink2",
    },
  ];
  const others = payoutGroupsCount - payouts.length;
  return (
    <>
      <Table className="table num" columns={columns} rows={payouts} keyOf={keyOf} />
      {others > 0 ? <p className="body ink2 small">{texts.moreAmounts(others)}</p> : null}
    </>
  );
}

function Called({ group: { side, outcome }, label }: { group: PayoutGroupView; label: string }) {
  return (
    <>
      <span className="side-mark">
        <SideShape side={side} />
        {label}
      </span>
      {outcome === "refunded" ? <span className="tiny muted"> {texts.refundedMark}</span> : null}
    </>
  );
}

function keyOf({ side, outcome, wagerCents, payoutCents }: PayoutGroupView): string {
  return `${side}-${outcome}-${wagerCents}-${payoutCents}`;
}
