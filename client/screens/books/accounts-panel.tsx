import { formatMoney } from "#client/base/format/money.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import { type Column, Table } from "#client/ui/table.tsx";
import { entriesOf, labelsOf } from "#src/base/contract.ts";
import type { AccountTotalView } from "#src/books/schemas.ts";
import * as texts from "./books-texts.ts";

const nameOf = labelsOf<AccountTotalView["kind"]>({
  wallet: texts.playersWallets,
  receivable: texts.owedByPlayers,
  house: texts.house,
  promo: texts.playMoney,
  external: texts.payments,
  clearing: texts.onItsWay,
});
const hintOf = entriesOf<Exclude<AccountTotalView["kind"], "wallet">, string>(
  {
    receivable: texts.owedHint,
    house: texts.houseHint,
    promo: texts.playMoneyHint,
    external: texts.paymentsHint,
    clearing: texts.onItsWayHint,
  },
  "",
);

/** The balances by kind of account. The entries of each transaction sum to zero, and so do the balances. */
export function AccountsPanel({ accounts }: { accounts: readonly AccountTotalView[] }) {
  const sumCents = accounts.reduce((sum, { postedCents }) => sum + postedCents, 0);
  return (
    <Panel title={texts.accounts}>
      <Table columns={columns} rows={accounts} keyOf={({ kind }) => kind}>
        <tr>
          <th scope="row">{texts.together}</th>
          <td className="end num strong">{formatMoney(sumCents)}</td>
        </tr>
      </Table>
    </Panel>
  );
}

const columns: readonly Column<AccountTotalView>[] = [
  { head: texts.whose, cell: (account) => <Whose account={account} /> },
  {
    head: texts.balance,
    cell: ({ postedCents }) => formatMoney(postedCents),
    end: true,
    cellClass: "num",
  },
];

function Whose({ account: { kind, accountsCount, heldCents } }: { account: AccountTotalView }) {
  const hint = kind === "wallet" ? texts.walletsHint(accountsCount) : hintOf(kind);
  return (
    <>
      <b>{nameOf(kind)}</b>
      <br />
      <span className="tiny muted">{heldCents === 0 ? hint : texts.hintWithHeld(hint, heldCents)}</span>
    </>
  );
}
