import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { formatChange, formatMoney } from "#client/base/format/money.ts";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { useViewer } from "#client/base/page/context.ts";
import { callAmount } from "#client/calls/call-amount.ts";
import { CallState } from "#client/calls/call-pill.tsx";
import { Formula } from "#client/calls/formula.tsx";
import { RefundCause } from "#client/calls/refund-cause.tsx";
import { ResultWord } from "#client/calls/result-word.tsx";
import { couldPayCents, isUnopposed } from "#client/events/estimate.ts";
import { ShareButton } from "#client/share/share-button.tsx";
import { shareButtonText } from "#client/share/share-texts.ts";
import { fill } from "#client/ui/fill.tsx";
import { Icon, SideShape } from "#client/ui/icon.tsx";
import { type Column, Table } from "#client/ui/table.tsx";
import { ClockTime } from "#client/ui/time.tsx";
import { labelsOf } from "#src/base/contract.ts";
import type { TransactionView } from "#src/money/wallet/schemas.ts";
import type { ReceiptAnswer } from "#src/play/calls/schemas.ts";

const kindLabel = labelsOf<TransactionView["kind"]>({
  grant: "On the house",
  deposit: "Paid in",
  hold: words.wager,
  release: "Wager back",
  settle: "Paid out",
  refund: words.refunded,
  correction: "Corrected",
  adjustment: "Adjusted",
});

const MS = 1_000;

/** One call's receipt: its side, times, outcome, formula and transactions. */
export function Receipt({ call, receipt }: ReceiptAnswer) {
  const day = formatDate(call.placedAt, useTimeZone());
  const latest = receipt.settlements.at(-1);
  return (
    <div className="stack opened-call">
      <BackToCalls slug={call.sessionSlug} />
      <article className="receipt" aria-label={words.receipt}>
        <header className="row">
          <Icon name="mark" size="l" />
          <h2>{words.receipt}</h2>
          <span className="push small muted num">{`call ${call.id}, ${day}`}</span>
        </header>
        <div>
          <p className="small ink2 wrap-anywhere">{call.eventTitle}</p>
          <p className="net num">{callAmount(call)}</p>
          <p className="row wrap small">
            <CallState call={call} />
            {latest === undefined ? null : (
              <span className="row">
                {fill("Result: {result}", {
                  result: <ResultWord result={latest.result} labels={receipt.labels} />,
                })}
              </span>
            )}
            <RefundCause call={call} />
          </p>
          {receipt.explanation === undefined ? null : (
            <p className="small wrap-anywhere">{receipt.explanation}</p>
          )}
        </div>
        <hr />
        <Facts call={call} receipt={receipt} day={day} />
        {latest === undefined ? null : <Formula receipt={receipt} day={day} />}
        <hr />
        <ReceiptEntries transactions={receipt.transactions} netCents={call.netCents} day={day} />
        <ShareCall call={call} />
        {receipt.explained && call.sessionSlug !== null ? (
          <Link className="small settled-link" to={`/sessions/${call.sessionSlug}/events/${call.eventId}`}>
            {words.howThisWasSettled}
          </Link>
        ) : null}
      </article>
    </div>
  );
}

/** Shares the result, or the call while it has none. A call that its player took back is not shared. */
function ShareCall({ call: { id, userId, state, outcome, refundedBy } }: Pick<ReceiptAnswer, "call">) {
  const isOwn = useViewer()?.id === userId;
  if (!isOwn || (state === "soft_destroyed" && refundedBy === null)) return null;
  const kind = outcome === null ? "call" : "result";
  return (
    <ShareButton kind={kind} targetId={id} className="btn">
      {shareButtonText(kind)}
    </ShareButton>
  );
}

/** The link back to the list. Only phones need it: there the receipt replaces the list. Guests, who have no list, go back to the game. */
function BackToCalls({ slug }: { slug: string | null }) {
  const { search } = useLocation();
  if (useViewer()?.guest === true) {
    return (
      <p>
        <Link className="btn sm" to={slug === null ? "/" : `/sessions/${slug}`}>
          {words.goToTheGame}
        </Link>
      </p>
    );
  }
  return (
    <p className="to-all-calls">
      <Link className="btn sm" to={{ pathname: slug === null ? ".." : `/sessions/${slug}/history`, search }}>
        All calls
      </Link>
    </p>
  );
}

function Facts({ call, receipt, day }: ReceiptAnswer & { day: string }) {
  const { labels } = receipt;
  // The wager of a call that was taken back has left the pool, and its close no longer matters.
  const { cutOffAt, pool } = call.state === "soft_destroyed" ? { cutOffAt: null, pool: null } : receipt;
  const effectiveAt = receipt.settlements.at(-1)?.effectiveAt ?? null;
  return (
    <dl>
      <Fact label="You called">
        {call.label}, {formatMoney(call.wagerCents)}
      </Fact>
      <Fact label={words.placedServerTime}>
        <ClockTime at={call.placedAt} day={day} />
      </Fact>
      {cutOffAt === null ? null : (
        <>
          <Fact label="Cut-off">
            <ClockTime at={cutOffAt} day={day} />
          </Fact>
          <Fact label="In time by">{secondsBetween(call.placedAt, cutOffAt)}</Fact>
        </>
      )}
      {effectiveAt === null ? null : (
        <Fact label="Counted when placed before">
          <ClockTime at={effectiveAt} day={day} />
        </Fact>
      )}
      {pool === null || !call.active ? null : (
        <Fact label="Could pay">
          {isUnopposed(pool, call.side)
            ? "the wager back, while nobody takes the other side"
            : formatMoney(couldPayCents(pool, call.side, { ownCents: call.wagerCents }))}
        </Fact>
      )}
      {pool === null ? null : (
        <Fact label={call.active ? "Pool now" : "Pool at close"}>
          <span className="side-mark">
            <SideShape side="true" />
            <span className="vh">{labels.true}</span> <span>{formatMoney(pool.trueCents)}</span>
          </span>{" "}
          <span className="side-mark">
            <SideShape side="false" />
            <span className="vh">{labels.false}</span> <span>{formatMoney(pool.falseCents)}</span>
          </span>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className="num">{children}</dd>
    </>
  );
}

function secondsBetween(from: string, to: string): string {
  return `${((Date.parse(to) - Date.parse(from)) / MS).toFixed(3)} s`;
}

type ReceiptEntriesProps = { transactions: readonly TransactionView[]; netCents: number | null; day: string };

/** A call's transactions, with the wallet's balance after each. */
function ReceiptEntries({ transactions, netCents, day }: ReceiptEntriesProps) {
  const columns: readonly Column<TransactionView>[] = [
    {
      head: words.wallet,
      cell: ({ kind, createdAt }) => (
        <>
          {kindLabel(kind)}
          <span className="tiny muted">
            <ClockTime at={createdAt} day={day} />
          </span>
        </>
      ),
      namesRow: true,
    },
    {
      head: "Moved",
      cell: ({ amountCents }) => formatChange(amountCents),
      end: true,
      cellClass: "strong",
    },
    {
      head: "Available, balance",
      cell: ({ availableAfterCents, balanceAfterCents }) => (
        <>
          {formatMoney(availableAfterCents)}
          <span className="tiny muted">{`of ${formatMoney(balanceAfterCents)}`}</span>
        </>
      ),
      end: true,
      cellClass: "ink2",
    },
  ];
  return (
    <Table
      className="entries num"
      columns={columns}
      rows={transactions}
      keyOf={({ id }) => id}
      foot={netCents === null ? null : <Net netCents={netCents} />}
    />
  );
}

function Net({ netCents }: { netCents: number }) {
  return (
    <tr>
      <th scope="row" className="strong">
        {words.net}
      </th>
      <td className="end strong">{formatChange(netCents)}</td>
      <td />
    </tr>
  );
}
