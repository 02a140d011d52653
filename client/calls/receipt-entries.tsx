import type { TransactionView } from "#src/wallet/schemas.ts";
import { formatChange, formatMoney } from "../ui/money.ts";
import { ClockTime } from "../ui/time.tsx";

const kindLabels: Record<TransactionView["kind"], string> = {
  grant: "Granted",
  deposit: "Paid in",
  hold: "Held",
  release: "Released",
  settle: "Paid out",
  refund: "Refunded",
  correction: "Corrected",
  adjustment: "Adjusted",
};

type ReceiptEntriesProps = { transactions: readonly TransactionView[]; netCents: number | null; day: string };

/** A call's transactions, with the wallet's balance after each. */
export function ReceiptEntries({ transactions, netCents, day }: ReceiptEntriesProps) {
  return (
    <table className="entries num">
      <thead>
        <tr>
          <th scope="col">Wallet</th>
          <th scope="col" className="end">
            Moved
          </th>
          <th scope="col" className="end">
            Available, balance
          </th>
        </tr>
      </thead>
      <tbody>
        {transactions.map(({ id, kind, createdAt, amountCents, availableAfterCents, balanceAfterCents }) => (
          <tr key={id}>
            <th scope="row">
              {kindLabels[kind]}
              <span className="tiny muted">
                <ClockTime at={createdAt} day={day} />
              </span>
            </th>
            <td className="end strong">{formatChange(amountCents)}</td>
            <td className="end ink2">
              {formatMoney(availableAfterCents)}
              <span className="tiny muted">of {formatMoney(balanceAfterCents)}</span>
            </td>
          </tr>
        ))}
      </tbody>
      {netCents === null ? null : (
        <tfoot>
          <tr>
            <th scope="row" className="strong">
              Net
            </th>
            <td className="end strong">{formatChange(netCents)}</td>
            <td />
          </tr>
        </tfoot>
      )}
    </table>
  );
}
