import { Link, useLoaderData, useParams } from "react-router";
import type { SettlementView } from "#src/calls/schemas.ts";
import { countOf } from "../ui/count.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { EventTimes } from "../ui/event-times.tsx";
import { Fact } from "../ui/fact.tsx";
import { formatMoney } from "../ui/money.ts";
import { PageLayout, Panel } from "../ui/page-layout.tsx";
import { PoolBar } from "../ui/pool-bar.tsx";
import { formatDate } from "../ui/time-format.ts";
import { useTimeZone } from "../ui/time-zone.ts";
import { ClockTime } from "../ui/time.tsx";
import { CallRow } from "./call-row.tsx";
import { noPayoutReason } from "./formula.tsx";
import type { SettlementData } from "./load-settlement.ts";
import { PayoutTable } from "./payout-table.tsx";
import { Recompute } from "./recompute.tsx";
import { ResultWord } from "./result-word.tsx";
import { useLiveReload } from "./use-live-reload.ts";

/** How an event was settled: the decision, the formula, and the payouts without names. */
export function SettlementScreen() {
  const data = useLoaderData<SettlementData>();
  const { event, settlements, recomputed } = data;
  useLiveReload({ balance: false });
  const latest = settlements.at(-1);
  return (
    <PageLayout title="How this was settled" actions={<HistoryLink />}>
      {latest === undefined ? (
        <section className="panel">
          <EmptyState icon="clock" title={event.title}>
            <p>There is no result yet. Once there is one, everything about it stands here.</p>
            <dl className="about">
              <EventTimes event={event} />
            </dl>
          </EmptyState>
        </section>
      ) : (
        <div className="split">
          <div className="stack wide">
            <Decision data={data} latest={latest} />
            <FormulaPanel latest={latest} />
            <Panel title="Payouts" aside={countOf(data.callsCount, "call")}>
              <PayoutTable data={data} />
            </Panel>
          </div>
          <div className="stack wide">
            <Recompute recomputed={recomputed} />
            {event.myCalls.length === 0 ? null : (
              <Panel title="Your calls">
                <ul className="list">
                  {event.myCalls.map((call) => (
                    <CallRow key={call.id} call={call} opened={false} />
                  ))}
                </ul>
              </Panel>
            )}
          </div>
        </div>
      )}
    </PageLayout>
  );
}

function HistoryLink() {
  const { slug } = useParams();
  return (
    <Link className="btn" to={`/sessions/${slug}/history`}>
      Your calls
    </Link>
  );
}

function Decision({ data, latest }: { data: SettlementData; latest: SettlementView }) {
  const { event, settlements, callersCount, callsCount } = data;
  const day = formatDate(event.openedAt ?? latest.settledAt, useTimeZone());
  const labels = { true: event.trueLabel, false: event.falseLabel };
  return (
    <section className="panel pad stack decision">
      <h2 className="wrap-anywhere">{event.title}</h2>
      <p className="decided">
        <ResultWord result={latest.result} labels={labels} />
      </p>
      <PoolBar event={event} />
      <dl className="about">
        <EventTimes event={event} />
        {event.openedAt === null ? null : (
          <Fact className="num" label="Opened">
            {day} <ClockTime at={event.openedAt} day={day} />
          </Fact>
        )}
        {event.closedAt === null ? null : (
          <Fact className="num" label="Closed">
            <ClockTime at={event.closedAt} day={day} />
          </Fact>
        )}
        {latest.effectiveAt === null ? null : (
          <Fact className="num" label="Counted until">
            <ClockTime at={latest.effectiveAt} day={day} />
          </Fact>
        )}
        <Fact className="num" label="Callers">
          {countOf(callersCount, "player")}, {countOf(callsCount, "call")}
        </Fact>
      </dl>
      <ol className="decisions small" aria-label="Decisions">
        {settlements.map(({ version, result, reason, settledAt }) => (
          <li key={version}>
            <span className="row wrap">
              {version === 1 ? "Result" : "Corrected to"} <ResultWord result={result} labels={labels} />
              <span className="muted push">
                <ClockTime at={settledAt} day={day} />
              </span>
            </span>
            {reason === null ? null : <span className="ink2">{reason}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function FormulaPanel({ latest }: { latest: SettlementView }) {
  const { poolCents, winningPoolCents, refundedCents, effectiveAt } = latest;
  const why = noPayoutReason(latest);
  return (
    <Panel title="The formula">
      <div className="body stack">
        {why === null ? (
          <>
            <p className="formula num">
              payout = {formatMoney(poolCents)} x wager / {formatMoney(winningPoolCents)}
            </p>
            <p className="small ink2">
              The whole pool, times the wager, divided by all wagers on the side that won, in whole cents. The
              cents left over went one each to the largest remainders.
            </p>
          </>
        ) : (
          <p>{why}</p>
        )}
        {effectiveAt === null || refundedCents === 0 ? null : (
          <p className="small ink2">
            {formatMoney(refundedCents)} was wagered after the moment that decided it, and was refunded.
          </p>
        )}
      </div>
    </Panel>
  );
}
