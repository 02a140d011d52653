import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import type { ReceiptAnswer } from "#src/calls/schemas.ts";
import { Icon, SideShape } from "../ui/icon.tsx";
import { formatChange, formatMoney } from "../ui/money.ts";
import { formatDate } from "../ui/time-format.ts";
import { useTimeZone } from "../ui/time-zone.ts";
import { ClockTime } from "../ui/time.tsx";
import { CallPill } from "./call-pill.tsx";
import { Formula } from "./formula.tsx";
import { ReceiptEntries } from "./receipt-entries.tsx";
import { RefundCause } from "./refund-cause.tsx";
import { ResultWord } from "./result-word.tsx";

const MS = 1_000;

/** One call's receipt: its side, times, outcome, formula and transactions. */
export function Receipt({ call, receipt }: ReceiptAnswer) {
  const day = formatDate(call.placedAt, useTimeZone());
  const latest = receipt.settlements.at(-1);
  return (
    <div className="stack opened-call">
      <BackToCalls slug={call.sessionSlug} />
      <article className="receipt" aria-label="Receipt">
        <header className="row">
          <Icon name="mark" size="l" />
          <h2>Receipt</h2>
          <span className="push small muted num">
            call {call.id}, {day}
          </span>
        </header>
        <div>
          <p className="small ink2 wrap-anywhere">{call.eventTitle}</p>
          <p className="net num">
            {call.netCents === null ? formatMoney(call.wagerCents) : formatChange(call.netCents)}
          </p>
          <p className="row wrap small">
            <CallPill call={call} />
            {latest === undefined ? null : (
              <span className="row">
                Result: <ResultWord result={latest.result} labels={receipt.labels} />
              </span>
            )}
            <RefundCause call={call} />
          </p>
        </div>
        <hr />
        <Facts call={call} receipt={receipt} day={day} />
        {latest === undefined ? null : <Formula receipt={receipt} day={day} />}
        <hr />
        <ReceiptEntries transactions={receipt.transactions} netCents={call.netCents} day={day} />
        {receipt.explained && call.sessionSlug !== null ? (
          <Link className="small" to={`/sessions/${call.sessionSlug}/events/${call.eventId}`}>
            How this was settled
          </Link>
        ) : null}
      </article>
    </div>
  );
}

/** The link back to the list. Only phones need it: there the receipt replaces the list. */
function BackToCalls({ slug }: { slug: string | null }) {
  const { search } = useLocation();
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
  // The wager of a refunded call has left the pool, and its close no longer matters.
  const { cutOffAt, pool } = call.refundedBy === null ? receipt : { cutOffAt: null, pool: null };
  const effectiveAt = receipt.settlements.at(-1)?.effectiveAt ?? null;
  return (
    <dl>
      <Fact label="You called">
        {call.label}, {formatMoney(call.wagerCents)}
      </Fact>
      <Fact label="Placed (server time)">
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
      {pool === null ? null : (
        <Fact label={call.active ? "Pool now" : "Pool at close"}>
          <span className="side-mark">
            <SideShape side="true" />
            <span className="vh">{labels.true}</span> {formatMoney(pool.trueCents)}
          </span>{" "}
          <span className="side-mark">
            <SideShape side="false" />
            <span className="vh">{labels.false}</span> {formatMoney(pool.falseCents)}
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
