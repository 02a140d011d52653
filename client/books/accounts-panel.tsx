import type { AccountTotalView } from "#src/books/schemas.ts";
import { formatMoney } from "../ui/money.ts";
import { Panel } from "../ui/page-layout.tsx";
import * as texts from "./books-texts.ts";

const names: Record<AccountTotalView["kind"], string> = {
  wallet: texts.playersWallets,
  receivable: texts.owedByPlayers,
  house: texts.house,
  promo: texts.playMoney,
  external: texts.payments,
  clearing: texts.onItsWay,
};
const hints: Record<Exclude<AccountTotalView["kind"], "wallet">, string> = {
  receivable: texts.owedHint,
  house: texts.houseHint,
  promo: texts.playMoneyHint,
  external: texts.paymentsHint,
  clearing: texts.onItsWayHint,
};

/** The balances by kind of account. The entries of each transaction sum to zero, and so do the balances. */
export function AccountsPanel({ accounts }: { accounts: readonly AccountTotalView[] }) {
  const sumCents = accounts.reduce((sum, { postedCents }) => sum + postedCents, 0);
  return (
    <Panel title={texts.accounts}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{texts.whose}</th>
            <th scope="col" className="end">
              {texts.balance}
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <AccountRow key={account.kind} account={account} />
          ))}
          <tr>
            <th scope="row">{texts.together}</th>
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
  const hint = kind === "wallet" ? texts.walletsHint(accountsCount) : hints[kind];
  return (
    <tr>
      <td>
        <b>{names[kind]}</b>
        <br />
        <span className="tiny muted">{heldCents === 0 ? hint : texts.hintWithHeld(hint, heldCents)}</span>
      </td>
      <td className="end num">{formatMoney(postedCents)}</td>
    </tr>
  );
}
