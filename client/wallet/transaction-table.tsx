import * as words from "#client/base/format/words.ts";
import { labelsOf } from "#src/base/contract.ts";
import type { TransactionView } from "#src/money/wallet/schemas.ts";
import { formatChange, formatMoney } from "../base/format/money.ts";
import { formatMoment } from "../base/format/time-format.ts";
import { useTimeZone } from "../base/format/time-zone.ts";
import { type Column, Table } from "../ui/table.tsx";

const kindLabel = labelsOf<TransactionView["kind"]>({
  grant: words.playMoney,
  deposit: "Deposit",
  hold: words.wager,
  release: "Wager back",
  settle: words.result,
  refund: "Refund",
  correction: "Correction",
  adjustment: "Adjustment",
});

/** Transactions, each with what is left to wager after it: the amounts add up line by line. What calls hold is said apart. */
export function TransactionTable({ transactions }: { transactions: readonly TransactionView[] }) {
  const zone = useTimeZone();
  if (transactions.length === 0) return <p className="body ink2 small">Nothing has moved yet.</p>;
  const columns: readonly Column<TransactionView>[] = [
    { head: "What", cell: (transaction) => <What transaction={transaction} zone={zone} /> },
    {
      head: "Amount",
      cell: ({ amountCents }) => formatChange(amountCents),
      end: true,
      cellClass: "num strong",
      verbatim: true,
    },
    {
      head: "Available after",
      cell: (transaction) => <After transaction={transaction} />,
      end: true,
      cellClass: "num ink2",
    },
  ];
  return <Table columns={columns} rows={transactions} keyOf={({ id }) => id} />;
}

function After({ transaction }: { transaction: TransactionView }) {
  const { availableAfterCents, balanceAfterCents } = transaction;
  const heldCents = balanceAfterCents - availableAfterCents;
  return (
    <>
      {formatMoney(availableAfterCents)}
      {heldCents === 0 ? null : <span className="tiny muted">{` and ${formatMoney(heldCents)} held`}</span>}
    </>
  );
}

function What({ transaction, zone }: { transaction: TransactionView; zone: string }) {
  const { kind, memo, createdAt: at } = transaction;
  return (
    <>
      <b>{kindLabel(kind)}</b>
      <br />
      <span className="tiny muted">
        {memo}
        {memo === "" ? null : <br />}
        <time dateTime={at}>{formatMoment(at, zone)}</time>
      </span>
    </>
  );
}
