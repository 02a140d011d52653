import type { TransactionView } from "#src/wallet/schemas.ts";
import { formatChange, formatMoney } from "../ui/money.ts";
import { formatMoment } from "../ui/time-format.ts";
import { useTimeZone } from "../ui/time-zone.ts";
import * as texts from "./wallet-texts.ts";

const kindLabels: Record<TransactionView["kind"], string> = {
  grant: texts.grant,
  deposit: texts.deposit,
  hold: texts.hold,
  release: texts.release,
  settle: texts.settle,
  refund: texts.refund,
  correction: texts.correction,
  adjustment: texts.adjustment,
};

/** Transactions, each with the balance after it. */
export function TransactionTable({ transactions }: { transactions: readonly TransactionView[] }) {
  const zone = useTimeZone();
  if (transactions.length === 0) return <p className="body ink2 small">{texts.noTransactionsYet}</p>;
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{texts.whatColumn}</th>
          <th scope="col" className="end">
            {texts.amount}
          </th>
          <th scope="col" className="end">
            {texts.balanceAfter}
          </th>
        </tr>
      </thead>
      <tbody>
        {transactions.map(({ id, kind, memo, createdAt: at, amountCents, balanceAfterCents }) => (
          <TransactionRow key={id} {...{ kind, memo, at, zone, amountCents, balanceAfterCents }} />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = Pick<TransactionView, "kind" | "memo" | "amountCents" | "balanceAfterCents"> & {
  at: string;
  zone: string;
};

function TransactionRow({ kind, memo, at, zone, ...row }: RowProps) {
  return (
    <tr>
      <td>
        <b>{kindLabels[kind]}</b>
        <br />
        <span className="tiny muted">
          {memo}
          {memo === "" ? null : <br />}
          <time dateTime={at}>{formatMoment(at, zone)}</time>
        </span>
      </td>
      <td className="end num strong" translate="no">
        {formatChange(row.amountCents)}
      </td>
      <td className="end num ink2">{formatMoney(row.balanceAfterCents)}</td>
    </tr>
  );
}
