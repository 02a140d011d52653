import { Link, useLoaderData, useParams } from "react-router";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { useViewer } from "#client/base/page/context.ts";
import { CallRow } from "#client/calls/call-row.tsx";
import * as texts from "#client/calls/calls-texts.ts";
import { noPayoutReason } from "#client/calls/formula.tsx";
import { ResultWord } from "#client/calls/result-word.tsx";
import { useLiveReload } from "#client/results/use-live-reload.ts";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { EventTimes } from "#client/ui/event-times.tsx";
import { Fact } from "#client/ui/fact.tsx";
import { fill } from "#client/ui/fill.tsx";
import { rolesIn } from "#client/ui/navigation.ts";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { PoolBar } from "#client/ui/pool-bar.tsx";
import { ClockTime } from "#client/ui/time.tsx";
import { useHere } from "#client/ui/use-here.ts";
import type { SettlementView } from "#src/play/calls/schemas.ts";
import type { SettlementData } from "./load-settlement.ts";
import { PayoutTable } from "./payout-table.tsx";
import { Recompute } from "./recompute.tsx";

/** How an event was settled: the decision, the formula, and the payouts without names. */
export function SettlementScreen() {
  const data = useLoaderData<SettlementData>();
  const { event, settlements, recomputed } = data;
  useLiveReload({ balance: false });
  const latest = settlements.at(-1);
  return (
    <PageLayout title={texts.howThisWasSettled} actions={<Links />}>
      {latest === undefined ? (
        <section className="panel">
          <EmptyState icon="clock" title={event.title}>
            <p>{texts.noResultYet}</p>
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
            <Panel title={texts.payouts} aside={texts.calls(data.callsCount)}>
              <PayoutTable data={data} />
            </Panel>
          </div>
          <div className="stack wide">
            <Recompute recomputed={recomputed} />
            {event.myCalls.length === 0 ? null : (
              <Panel title={texts.yourCalls}>
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

/** The replay shows the whole session in which this was settled, to those who took part in it. */
function Links() {
  const { slug } = useParams();
  const { session } = useHere();
  const viewer = useViewer();
  const runs = viewer !== null && session !== null && rolesIn(viewer, session.id).includes("admin");
  const tookPart = session?.registered === true || runs;
  return (
    <p className="row wrap">
      {viewer?.guest === true ? (
        <Link className="btn" to={`/sessions/${slug}`}>
          {texts.goToTheGame}
        </Link>
      ) : (
        <Link className="btn" to={`/sessions/${slug}/history`}>
          {texts.yourCalls}
        </Link>
      )}
      {session?.state === "stopped" && tookPart ? (
        <Link className="btn" to={`/sessions/${slug}/replay`}>
          {texts.replay}
        </Link>
      ) : null}
      {viewer?.roles.length ? (
        <Link className="btn" to="/admin">
          {texts.operations}
        </Link>
      ) : null}
    </p>
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
          <Fact className="num" label={texts.opened}>
            {day} <ClockTime at={event.openedAt} day={day} />
          </Fact>
        )}
        {event.closedAt === null ? null : (
          <Fact className="num" label={texts.closed}>
            <ClockTime at={event.closedAt} day={day} />
          </Fact>
        )}
        {latest.effectiveAt === null ? null : (
          <Fact className="num" label={texts.countedUntil}>
            <ClockTime at={latest.effectiveAt} day={day} />
          </Fact>
        )}
        <Fact className="num" label={texts.callers}>
          {texts.playersAndCalls(callersCount, callsCount)}
        </Fact>
      </dl>
      <ol className="decisions small" aria-label={texts.decisions}>
        {settlements.map(({ version, result, reason, settledAt }) => (
          <li key={version}>
            <span className="row wrap">
              {fill(version === 1 ? texts.firstDecision : texts.correctedTo, {
                result: <ResultWord result={result} labels={labels} />,
              })}
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
    <Panel title={texts.theFormula}>
      <div className="body stack">
        {why === null ? (
          <>
            <p className="formula num">{texts.settlementFormula(poolCents, winningPoolCents)}</p>
            <p className="small ink2">{texts.formulaHint}</p>
          </>
        ) : (
          <p>{why}</p>
        )}
        {effectiveAt === null || refundedCents === 0 ? null : (
          <p className="small ink2">{texts.wageredTooLate(refundedCents)}</p>
        )}
      </div>
    </Panel>
  );
}
