import { useActionData, useLoaderData } from "react-router";
import { formatChange, formatMoney, formatShare, formatPerDollar } from "#client/base/format/money.ts";
import { PayIn } from "#client/payments/pay-in.tsx";
import { PaymentNote } from "#client/payments/payment-note.tsx";
import type { PayInRefusal } from "#client/payments/send-pay-in.ts";
import { useLiveReload } from "#client/results/use-live-reload.ts";
import { KeyValue } from "#client/ui/key-value.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import { TopUp } from "#client/wallet/top-up-panel.tsx";
import { TransactionTable } from "#client/wallet/transaction-table.tsx";
import { useWallet } from "#client/wallet/wallet-state.tsx";
import * as texts from "#client/wallet/wallet-texts.ts";
import type { WalletView } from "#src/money/wallet/schemas.ts";
import { BalancePlot } from "./balance-plot.tsx";
import type { WalletData } from "./load-wallet.ts";

/** The longest balance that fits a phone in the large size, in characters. */
const LARGE_LENGTH_MAX = 9;

/** The player's balance, its plot, and all transactions. */
export function WalletScreen() {
  const { history, payment, amount, formKey } = useLoaderData<WalletData>();
  const refusal = useActionData<PayInRefusal>();
  const { wallet } = useWallet();
  useLiveReload({ balance: true });
  if (wallet === null) return null;
  return (
    <PageLayout title={texts.wallet}>
      <div className="split">
        <div className="stack wide">
          {payment === null ? null : (
            <WhenLoaded data={payment} loading={null} quiet>
              {(found) => (found === null ? null : <PaymentNote payment={found} />)}
            </WhenLoaded>
          )}
          <TopUp wallet={wallet} />
          <section className="panel balance-panel">
            <Balance wallet={wallet} />
            <WhenLoaded data={history} loading={<div className="plot-space" />} quiet>
              {({ plot, transactions }) =>
                plot === null ? null : <BalancePlot plot={plot} transactions={transactions} />
              }
            </WhenLoaded>
          </section>
          <WhenLoaded data={history}>
            {({ transactions, meta }) => (
              <>
                <Panel title={texts.transactions} aside={<Export />}>
                  <TransactionTable transactions={transactions} />
                </Panel>
                <Pagination meta={meta} />
              </>
            )}
          </WhenLoaded>
        </div>
        <div className="stack">
          <PayIn key={amount} formKey={formKey} amount={amount} refusal={refusal} />
          <Statistics metrics={wallet.metrics} />
        </div>
      </div>
    </PageLayout>
  );
}

/** All transactions as a file. It is not a page, so this is a plain link. */
function Export() {
  return (
    <a href="/api/v1/transactions.csv" download>
      {texts.exportAsCsv}
    </a>
  );
}

function Balance({ wallet }: { wallet: WalletView }) {
  const balance = formatMoney(wallet.balanceCents);
  return (
    <>
      <span className="over">{texts.balance}</span>
      <p className="num balance-now" data-len={balance.length > LARGE_LENGTH_MAX ? "long" : undefined}>
        {balance}
      </p>
      <dl className="row wrap balance-parts">
        <KeyValue label={texts.available}>{formatMoney(wallet.availableBalanceCents)}</KeyValue>
        <KeyValue label={texts.heldInCalls}>{formatMoney(wallet.heldCents)}</KeyValue>
        <KeyValue label={texts.owed}>{formatMoney(wallet.owedCents)}</KeyValue>
      </dl>
    </>
  );
}

/** The player's results over all calls. */
function Statistics({ metrics }: { metrics: WalletView["metrics"] }) {
  return (
    <aside className="panel pad record">
      <h2>{texts.record}</h2>
      <dl>
        <KeyValue label={texts.won}>{metrics.won}</KeyValue>
        <KeyValue label={texts.lost}>{metrics.lost}</KeyValue>
        <KeyValue label={texts.winRate}>{formatShare(metrics.winRate)}</KeyValue>
        <KeyValue label={texts.net}>{formatChange(metrics.netCents)}</KeyValue>
        <KeyValue label={texts.wonPerDollar}>{formatPerDollar(metrics.roi)}</KeyValue>
        <KeyValue label={texts.bestStreak}>{metrics.bestStreak}</KeyValue>
      </dl>
    </aside>
  );
}
