import type { TransactionView } from "#src/wallet/schemas.ts";
import { formatChange, formatMoney } from "../ui/money.ts";
import { Moment } from "../ui/time.tsx";

const kindLabels: Record<TransactionView["kind"], string> = {
  grant: "Grant",
  deposit: "Deposit",
  hold: "Hold",
  release: "Release",
  settle: "Settle",
  refund: "Refund",
  correction: "Correction",
  adjustment: "Adjustment",
};

/** Transactions, each with the balance after it. */
export function TransactionTable({ transactions }: { transactions: readonly TransactionView[] }) {
  if (transactions.length === 0) return <p className="body ink2 small">Nothing has moved yet.</p>;
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col" className="end">
            Amount
          </th>
          <th scope="col" className="end">
            Balance after
          </th>
        </tr>
      </thead>
      <tbody>
        {transactions.map((transaction) => (
          <TransactionRow key={transaction.id} transaction={transaction} />
        ))}
      </tbody>
    </table>
  );
}

function TransactionRow({ transaction }: { transaction: TransactionView }) {
  const { kind, memo, createdAt, amountCents, balanceAfterCents } = transaction;
  return (
    <tr>
      <td>
        <b>{kindLabels[kind]}</b>
        <br />
        <span className="tiny muted">
          {memo === "" ? null : `${memo}, `}
          <Moment at={createdAt} />
        </span>
      </td>
      <td className="end num strong">{formatChange(amountCents)}</td>
      <td className="end num ink2">{formatMoney(balanceAfterCents)}</td>
    </tr>
  );
}
