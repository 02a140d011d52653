import { formatChange, formatMoney } from "#client/base/format/money.ts";
import * as texts from "#client/calls/calls-texts.ts";
import { type Column, Table } from "#client/ui/table.tsx";
import { ClockTime } from "#client/ui/time.tsx";
import { labelsOf } from "#src/base/contract.ts";
import type { TransactionView } from "#src/money/wallet/schemas.ts";

const kindLabel = labelsOf<TransactionView["kind"]>({
  grant: texts.granted,
  deposit: texts.paidIn,
  hold: texts.held,
  release: texts.released,
  settle: texts.paidOut,
  refund: texts.refunded,
  correction: texts.corrected,
  adjustment: texts.adjusted,
});

type ReceiptEntriesProps = { transactions: readonly TransactionView[]; netCents: number | null; day: string };

/** A call's transactions, with the wallet's balance after each. */
export function ReceiptEntries({ transactions, netCents, day }: ReceiptEntriesProps) {
  const columns: readonly Column<TransactionView>[] = [
    {
      head: texts.wallet,
      cell: ({ kind, createdAt }) => (
        <>
          {kindLabel(kind)}
          <span className="tiny muted">
            <ClockTime at={createdAt} day={day} />
          </span>
        </>
      ),
      namesRow: true,
    },
    {
      head: texts.moved,
      cell: ({ amountCents }) => formatChange(amountCents),
      end: true,
      cellClass: "strong",
    },
    {
      head: texts.availableBalance,
      cell: ({ availableAfterCents, balanceAfterCents }) => (
        <>
          {formatMoney(availableAfterCents)}
          <span className="tiny muted">{texts.balanceAfter(balanceAfterCents)}</span>
        </>
      ),
      end: true,
      cellClass: "ink2",
    },
  ];
  return (
    <Table
      className="entries num"
      columns={columns}
      rows={transactions}
      keyOf={({ id }) => id}
      foot={netCents === null ? null : <Net netCents={netCents} />}
    />
  );
}

function Net({ netCents }: { netCents: number }) {
  return (
    <tr>
      <th scope="row" className="strong">
        {texts.net}
      </th>
      <td className="end strong">{formatChange(netCents)}</td>
      <td />
    </tr>
  );
}
