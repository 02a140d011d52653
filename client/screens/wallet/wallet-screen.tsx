import { useId, useState } from "react";
import { Link, useActionData, useLoaderData } from "react-router";
import { type Api, nullAt } from "#client/base/api/api.ts";
import { randomId } from "#client/base/browser/random-id.ts";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import {
  formatChange,
  formatMoney,
  formatPerDollar,
  formatShare,
  formatShortMoney,
} from "#client/base/format/money.ts";
import { pageIn } from "#client/base/format/page-in.ts";
import { formatDate, formatMoment } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { useClosed } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { PaymentNote } from "#client/payments/payment-list.tsx";
import type { PayInRefusal } from "#client/payments/send-pay-in.ts";
import { useLiveReload } from "#client/results/use-live-reload.ts";
import { FirstDeposit } from "#client/spending/first-deposit.tsx";
import { Deposits, fetchSpending, SpendingSummary } from "#client/spending/spending-summary.tsx";
import { Field } from "#client/ui/field.tsx";
import { boundTo } from "#client/ui/forms/bind.ts";
import { PostForm, Refusal } from "#client/ui/forms/post-form.tsx";
import { KeyValue } from "#client/ui/key-value.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import { TopUpForm, topUpLabel, useTopUpOutcome } from "#client/wallet/top-up.tsx";
import { TransactionTable } from "#client/wallet/transaction-table.tsx";
import { useWallet } from "#client/wallet/wallet-state.tsx";
import { TOP_UP_TO_CENTS } from "#db/lists/limits.ts";
import type { ListMeta } from "#src/http/schemas.ts";
import { PAYMENT_MAX, PAYMENT_MIN } from "#src/money/payments/contract.ts";
import type { PaymentView } from "#src/money/payments/schemas.ts";
import type { SpendingView } from "#src/money/spending/schemas.ts";
import { isBroke } from "#src/money/wallet/contract.ts";
import type { TransactionView, WalletView } from "#src/money/wallet/schemas.ts";
import type { Plot, plotOf } from "./plot.ts";

/** The longest balance that fits a phone in the large size, in characters. */
const LARGE_LENGTH_MAX = 9;

/** The code that draws the plot; null until it was fetched. */
let code: { plotOf: typeof plotOf } | null = null;

const AMOUNT_DEFAULT = "20";

/** The player's balance, its plot, and all transactions. */
export function WalletScreen() {
  const { history, payment, amount, formKey, spending } = useLoaderData<WalletData>();
  const refusal = useActionData<PayInRefusal>();
  const { wallet } = useWallet();
  useLiveReload({ balance: true });
  if (wallet === null) return null;
  return (
    <PageLayout title={words.wallet}>
      <div className="split wallet">
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
        </div>
        <div className="stack beside">
          <PayIn key={amount} formKey={formKey} amount={amount} refusal={refusal} spending={spending} />
          <SpendingSummary spending={spending} />
          <Statistics metrics={wallet.metrics} />
        </div>
        <div className="stack wide">
          <WhenLoaded data={history}>
            {({ transactions, meta }) => (
              <>
                <Panel title="Transactions" aside={<Export />}>
                  <TransactionTable transactions={transactions} />
                </Panel>
                <Pagination meta={meta} />
              </>
            )}
          </WhenLoaded>
        </div>
      </div>
    </PageLayout>
  );
}

/** All transactions as a file. It is not a page, so this is a plain link. */
function Export() {
  return (
    <a href="/api/v1/transactions.csv" download>
      Export as CSV
    </a>
  );
}

function Balance({ wallet }: { wallet: WalletView }) {
  const balance = formatMoney(wallet.balanceCents);
  return (
    <>
      <span className="over">{words.balance}</span>
      <p className="num balance-now" data-len={balance.length > LARGE_LENGTH_MAX ? "long" : undefined}>
        {balance}
      </p>
      <dl className="row wrap balance-parts">
        <KeyValue label="Available">{formatMoney(wallet.availableBalanceCents)}</KeyValue>
        <KeyValue label="Held in calls">{formatMoney(wallet.heldCents)}</KeyValue>
        <KeyValue label="Owed">{formatMoney(wallet.owedCents)}</KeyValue>
      </dl>
    </>
  );
}

/** The player's results over all calls. */
function Statistics({ metrics }: { metrics: WalletView["metrics"] }) {
  return (
    <aside className="panel pad record">
      <h2>{words.record}</h2>
      <dl>
        <KeyValue label={words.won}>{metrics.won}</KeyValue>
        <KeyValue label={words.lost}>{metrics.lost}</KeyValue>
        <KeyValue label="Win rate">{formatShare(metrics.winRate)}</KeyValue>
        <KeyValue label={words.net}>{formatChange(metrics.netCents)}</KeyValue>
        <KeyValue label="Net per $1">{formatPerDollar(metrics.roi)}</KeyValue>
        <KeyValue label={words.bestStreak}>{metrics.bestStreak}</KeyValue>
      </dl>
    </aside>
  );
}

/**
 * What could be wagered after each of the newest transactions, drawn as steps. A slider over the drawing selects a step by touch, mouse or arrow
 * keys. The table of transactions below contains the same numbers.
 */
function BalancePlot({ plot, transactions }: { plot: Plot; transactions: readonly TransactionView[] }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const zone = useTimeZone();
  const id = useId();
  const movements = [...transactions].reverse();
  const at = Math.min(chosen ?? movements.length - 1, movements.length - 1);
  const description = describeMovement(movements[at], zone);
  return (
    <figure>
      <div className="plot-box">
        <Drawing plot={plot} movements={movements} at={at} id={id} />
        <input
          type="range"
          aria-label="Movement"
          aria-valuetext={description}
          min={0}
          max={movements.length - 1}
          value={at}
          onChange={({ currentTarget }) => setChosen(currentTarget.valueAsNumber)}
        />
      </div>
      <figcaption className="small ink2 num">{description}</figcaption>
    </figure>
  );
}

type DrawingProps = { plot: Plot; movements: readonly TransactionView[]; at: number; id: string };

function Drawing({ plot, movements, at, id }: DrawingProps) {
  const zone = useTimeZone();
  const [first, last] = [movements.at(0), movements.at(-1)];
  const point = plot.points[at];
  return (
    <svg
      className="plot"
      viewBox="0 0 600 208"
      width="100%"
      role="img"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-desc`}
    >
      <title id={`${id}-title`}>{`Available over the last ${movements.length} movements`}</title>
      <desc id={`${id}-desc`}>{describePlot(movements)}</desc>
      {plot.lines.map(({ y, amountCents }) => (
        <g key={amountCents}>
          <path className="grid" d={`M0 ${y}H${plot.width}`} />
          <text x="600" y={y + 4} textAnchor="end">
            {formatShortMoney(amountCents)}
          </text>
        </g>
      ))}
      <path className="area" d={plot.area} />
      <path className="steps" d={plot.steps} />
      {point === undefined ? null : (
        <circle cx={at === movements.length - 1 ? plot.width : point.x} cy={point.y} r="8" />
      )}
      <text x="0" y="204">
        {first === undefined ? null : formatDate(first.createdAt, zone)}
      </text>
      <text x={plot.width} y="204" textAnchor="end">
        {last === undefined ? null : formatDate(last.createdAt, zone)}
      </text>
    </svg>
  );
}

/** "21 Nov 8:04 AM: +$7.12, available $107.12" */
function describeMovement(movement: TransactionView | undefined, zone: string): string {
  if (movement === undefined) return "";
  const { createdAt, amountCents, availableAfterCents } = movement;
  const when = formatMoment(createdAt, zone);
  return `${when}: ${formatChange(amountCents)}, available ${formatMoney(availableAfterCents)}`;
}

function describePlot(movements: readonly TransactionView[]): string {
  const amounts = movements.map((movement) => movement.availableAfterCents);
  const [from = 0] = amounts;
  const to = amounts.at(-1) ?? 0;
  const [lowest, highest] = [Math.min(...amounts), Math.max(...amounts)];
  return `From ${formatMoney(from)} to ${formatMoney(to)}, lowest ${formatMoney(lowest)}, highest ${formatMoney(highest)}`;
}

type TransactionsPage = {
  transactions: TransactionView[];
  meta: ListMeta;
  /** What was available after each of the newest transactions; null on later pages and with fewer than two transactions. */
  plot: Plot | null;
};

type WalletData = {
  history: Deferred<TransactionsPage>;
  /** The payment whose checkout the viewer returns from; null where there is none. */
  payment: Deferred<PaymentView | null> | null;
  /** The payment form's first amount, from the address; null: the default. */
  amount: string | null;
  formKey: string;
  /** Null where payments are off. */
  spending: Deferred<SpendingView | null>;
};

/** A page of the viewer's transactions, newest first. The wallet itself is loaded with the frame. */
export async function loadWallet(args: LoaderArgs): Promise<WalletData> {
  const { api, url } = args;
  const search = url.searchParams;
  const reference = search.get("payment");
  const [history, payment, spending] = await Promise.all([
    defer(args, () => fetchPage(api, pageIn(search))),
    reference === null ? null : defer(args, () => findPayment(api, reference)),
    defer(args, () => fetchSpending(api)),
  ]);
  return { history, payment, amount: amountIn(search), formKey: randomId(), spending };
}

async function fetchPage(api: Api, page: number): Promise<TransactionsPage> {
  const answer = await api.get("/api/v1/transactions", { query: { page } });
  const plot = answer.meta.currentPage === 1 ? await drawPlot(answer.transactions) : null;
  return { ...answer, plot };
}

/**
 * Draws the plot. d3's scales are larger than all account screens together, so that their code is a chunk of its own: the server
 * draws the first page, and only a browser that opens the wallet by a link fetches the code.
 */
async function drawPlot(newestFirst: readonly TransactionView[]): Promise<Plot | null> {
  code ??= await import("./plot.ts").catch(() => null);
  return code?.plotOf(newestFirst.map(({ availableAfterCents }) => availableAfterCents).toReversed()) ?? null;
}

/** The amount of a failed payment that the player tries again. */
function amountIn(search: URLSearchParams): string | null {
  const amount = search.get("amount") ?? "";
  return /^\d{1,3}(\.\d{1,2})?$/.test(amount) ? amount : null;
}

/** Null for a reference that is not one of the viewer's payments: the wallet is shown anyway. */
function findPayment(api: Api, reference: string): Promise<PaymentView | null> {
  const path = `/api/v1/payments/${encodeURIComponent(reference)}` as const;
  return api.get(path).then(({ payment }) => payment, nullAt(404));
}

/** On the wallet's page: tops up an empty wallet with play money, and shows the outcome. */
function TopUp({ wallet }: { wallet: WalletView }) {
  const outcome = useTopUpOutcome();
  if (!isBroke(wallet)) {
    if (outcome === "done") {
      return <Note tone="ok">{`Topped up: ${formatMoney(wallet.availableBalanceCents)} to play with.`}</Note>;
    }
    return outcome === null ? null : <Note>Your wallet is not empty, so there is nothing to top up.</Note>;
  }
  return (
    <Panel title="Out of play money?" body="stack">
      {outcome === "topped_up_today" ? (
        <Note>You have topped up today. You can top up again tomorrow.</Note>
      ) : (
        <>
          <p className="small ink2">{`Once a day you can go on with ${formatShortMoney(TOP_UP_TO_CENTS)}.`}</p>
          {wallet.owedCents === 0 ? null : <p className="small ink2">What you owe is paid from it first.</p>}
          <TopUpForm>
            <Submit>{topUpLabel}</Submit>
          </TopUpForm>
        </>
      )}
    </Panel>
  );
}

type PayInProps = {
  formKey: string;
  /** The form's first amount, from the address; null: the default. */
  amount: string | null;
  refusal: PayInRefusal | undefined;
  spending: SpendingView | null;
};

/** Adding money; or why nothing can be added now. */
function PayIn({ spending: data, ...props }: Omit<PayInProps, "spending"> & Pick<WalletData, "spending">) {
  const closed = useClosed("payments");
  return (
    <Panel title={words.addMoney} aside={<Link to="/profile/wallet/payments">Your payments</Link>}>
      <div className="body">
        {closed === undefined ? (
          <WhenLoaded data={data}>
            {(spending) => (
              <Deposits spending={spending}>
                <PayInForm {...props} spending={spending} />
              </Deposits>
            )}
          </WhenLoaded>
        ) : (
          <Note>{closed}</Note>
        )}
      </div>
    </Panel>
  );
}

/**
 * The form that starts a payment. `formKey` is its Idempotency-Key: sent twice, it makes one payment. The first key counts, also
 * after the page's data was loaded again.
 */
function PayInForm({ formKey, amount, refusal, spending }: PayInProps) {
  const [key] = useState(formKey);
  const bind = boundTo(refusal, { amount: amount ?? AMOUNT_DEFAULT });
  return (
    <PostForm className="stack" fields={{ key }} refused={refusal}>
      <Refusal refused={refusal} unless={["amount", "limit"]} />
      <Field
        label={words.amountInDollars}
        inputMode="decimal"
        hint={`From $${PAYMENT_MIN} to $${PAYMENT_MAX}. You pay on the next page.`}
        {...bind("amount")}
      />
      {spending === null ? null : (
        <FirstDeposit
          spending={spending}
          limit={refusal?.limit ?? ""}
          ofAge={refusal?.ofAge === true}
          errors={refusal?.errors ?? {}}
        />
      )}
      <Submit>Go to the checkout</Submit>
    </PostForm>
  );
}
