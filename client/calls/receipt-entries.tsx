import type { TransactionView } from "#src/wallet/schemas.ts";
import { formatChange, formatMoney } from "../ui/money.ts";
import { ClockTime } from "../ui/time.tsx";
import * as texts from "./calls-texts.ts";

const kindLabels: Record<TransactionView["kind"], string> = {
  grant: texts.granted,
  deposit: texts.paidIn,
  hold: texts.held,
  release: texts.released,
  settle: texts.paidOut,
  refund: texts.refunded,
  correction: texts.corrected,
  adjustment: texts.adjusted,
};

type ReceiptEntriesProps = { transactions: readonly TransactionView[]; netCents: number | null; day: string };

/** A call's transactions, with the wallet's balance after each. */
export function ReceiptEntries({ transactions, netCents, day }: ReceiptEntriesProps) {
  return (
    <table className="entries num">
      <thead>
        <tr>
          <th scope="col">{texts.wallet}</th>
          <th scope="col" className="end">
            {texts.moved}
          </th>
          <th scope="col" className="end">
            {texts.availableBalance}
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
              <span className="tiny muted">{texts.balanceAfter(balanceAfterCents)}</span>
            </td>
          </tr>
        ))}
      </tbody>
      {netCents === null ? null : (
        <tfoot>
          <tr>
            <th scope="row" className="strong">
              {texts.net}
            </th>
            <td className="end strong">{formatChange(netCents)}</td>
            <td />
          </tr>
        </tfoot>
      )}
    </table>
  );
}
