import type { AccountTotalView } from "#src/books/schemas.ts";
import { formatCount } from "../ui/count.ts";
import { formatMoney } from "../ui/money.ts";
import { Panel } from "../ui/page-layout.tsx";

const names: Record<AccountTotalView["kind"], string> = {
  wallet: "Players' wallets",
  receivable: "Owed by players",
  house: "House",
  promo: "Play money",
  external: "Payments",
  clearing: "On its way",
};
const hints: Record<AccountTotalView["kind"], string> = {
  wallet: "what they hold",
  receivable: "taken back after it was spent",
  house: "corrections by hand",
  promo: "given to players",
  external: "paid in by players",
  clearing: "between the parts of settlements that are being paid",
};

/** The balances by kind of account. The entries of each transaction sum to zero, and so do the balances. */
export function AccountsPanel({ accounts }: { accounts: readonly AccountTotalView[] }) {
  const sumCents = accounts.reduce((sum, { postedCents }) => sum + postedCents, 0);
  return (
    <Panel title="Accounts">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Whose</th>
            <th scope="col" className="end">
              Balance
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <AccountRow key={account.kind} account={account} />
          ))}
          <tr>
            <th scope="row">Together</th>
            <td className="end num strong">{formatMoney(sumCents)}</td>
          </tr>
        </tbody>
      </table>
    </Panel>
  );
}

function AccountRow({
  account: { kind, accountsCount, postedCents, heldCents },
}: {
  account: AccountTotalView;
}) {
  return (
    <tr>
      <td>
        <b>{names[kind]}</b>
        <br />
        <span className="tiny muted">
          {hints[kind]}
          {kind === "wallet" ? `, in ${formatCount(accountsCount)} wallets` : null}
          {heldCents === 0 ? null : `, ${formatMoney(heldCents)} of it in calls`}
        </span>
      </td>
      <td className="end num">{formatMoney(postedCents)}</td>
    </tr>
  );
}
