import { Form, useLoaderData, useNavigation, useParams } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { formatCount, countOf } from "#client/base/format/count.ts";
import { formatMoney } from "#client/base/format/money.ts";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { useViewer } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { CallRow } from "#client/calls/call-row.tsx";
import { noPayoutReason } from "#client/calls/formula.tsx";
import { ResultWord } from "#client/calls/result-word.tsx";
import { useLiveReload } from "#client/results/use-live-reload.ts";
import { EmptyPanel } from "#client/ui/empty-state.tsx";
import { EventTimes } from "#client/ui/event-times.tsx";
import { Fact } from "#client/ui/fact.tsx";
import { fill } from "#client/ui/fill.tsx";
import { refusedBy } from "#client/ui/forms/refused.ts";
import { SideShape } from "#client/ui/icon.tsx";
import { List } from "#client/ui/list.tsx";
import { rolesIn } from "#client/ui/navigation.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel, ButtonLink } from "#client/ui/page-layout.tsx";
import { PoolBar } from "#client/ui/pool-bar.tsx";
import { type Column, Table } from "#client/ui/table.tsx";
import { ClockTime, Moment } from "#client/ui/time.tsx";
import { useHere } from "#client/ui/use-here.ts";
import type { SettlementView } from "#src/play/calls/schemas.ts";
import type { PayoutGroupView, RecomputationView } from "#src/play/settlements/schemas.ts";
import type { SettlementAnswer } from "#src/show/events/schemas.ts";

/** How an event was settled: the decision, the formula, and the payouts without names. */
export function SettlementScreen() {
  const data = useLoaderData<SettlementData>();
  const { event, settlements, recomputed } = data;
  useLiveReload({ balance: false });
  const latest = settlements.at(-1);
  return (
    <PageLayout title={words.howThisWasSettled} actions={<Links />}>
      {latest === undefined ? (
        <EmptyPanel icon="clock" title={event.title}>
          <p>There is no result yet. Once there is one, you find everything about it here.</p>
          <dl className="about">
            <EventTimes event={event} />
          </dl>
        </EmptyPanel>
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
              <Panel title={words.yourCalls}>
                <List
                  items={event.myCalls}
                  row={(call) => <CallRow key={call.id} call={call} opened={false} />}
                />
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
        <ButtonLink to={`/sessions/${slug}`}>{words.goToTheGame}</ButtonLink>
      ) : (
        <ButtonLink to={`/sessions/${slug}/history`}>{words.yourCalls}</ButtonLink>
      )}
      {session?.state === "stopped" && tookPart ? (
        <ButtonLink to={`/sessions/${slug}/replay`}>{words.replay}</ButtonLink>
      ) : null}
      {viewer?.roles.length ? <ButtonLink to="/admin">Operations</ButtonLink> : null}
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
      {event.explanation === undefined ? null : <p className="wrap-anywhere">{event.explanation}</p>}
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
          {`${countOf(callersCount, "player")}, ${countOf(callsCount, "call")}`}
        </Fact>
      </dl>
      <ol className="decisions small" aria-label={words.decisions}>
        {settlements.map(({ version, result, reason, settledAt }) => (
          <li key={version}>
            <span className="row wrap">
              {fill(version === 1 ? words.resultIs : words.correctedTo, {
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
    <Panel title="The formula" body="stack">
      {why === null ? (
        <>
          <p className="formula num">{`payout = ${formatMoney(poolCents)} x wager / ${formatMoney(winningPoolCents)}`}</p>
          <p className="small ink2">
            The whole pool, times the wager, divided by all wagers on the side that won, in whole cents. The
            cents left over went one each to the largest remainders.
          </p>
        </>
      ) : (
        <p>{why}</p>
      )}
      {effectiveAt === null || refundedCents === 0 ? null : (
        <p className="small ink2">{`${formatMoney(refundedCents)} was wagered after the moment that decided it, and was refunded.`}</p>
      )}
    </Panel>
  );
}

/** The payouts without names. Calls with the same side, wager and payout share a row. */
function PayoutTable({ data }: { data: SettlementData }) {
  const { payouts, payoutGroupsCount, event } = data;
  if (payouts.length === 0) return <p className="body ink2 small">Nobody had called this one.</p>;
  const labels = { true: event.trueLabel, false: event.falseLabel };
  const columns: readonly Column<PayoutGroupView>[] = [
    { head: "Called", cell: (group) => <Called group={group} label={labels[group.side]} /> },
    { head: words.wager, cell: ({ wagerCents }) => formatMoney(wagerCents), end: true },
    {
      head: "Paid",
      cell: ({ payoutCents }) => formatMoney(payoutCents),
      end: true,
      cellClass: "strong",
    },
    {
      head: words.calls,
      cell: ({ callsCount }) => formatCount(callsCount),
      end: true,
      cellClass: "ink2",
    },
  ];
  const others = payoutGroupsCount - payouts.length;
  return (
    <>
      <Table className="table num" columns={columns} rows={payouts} keyOf={keyOf} />
      {others > 0 ? (
        <p className="body ink2 small">{`and ${formatCount(others)} more amounts that are not listed`}</p>
      ) : null}
    </>
  );
}

function Called({ group: { side, outcome }, label }: { group: PayoutGroupView; label: string }) {
  return (
    <>
      <span className="side-mark">
        <SideShape side={side} />
        {label}
      </span>
      {outcome === "refunded" ? <span className="tiny muted"> refunded</span> : null}
    </>
  );
}

function keyOf({ side, outcome, wagerCents, payoutCents }: PayoutGroupView): string {
  return `${side}-${outcome}-${wagerCents}-${payoutCents}`;
}

/** Lets every viewer check the payouts: they are recomputed from the calls and compared with the paid amounts. */
function Recompute({ recomputed }: { recomputed: RecomputeResult | null }) {
  const busy = useNavigation().location?.search.includes("recompute") ?? false;
  return (
    <Panel title="Check it">
      <Form className="body stack" method="get" preventScrollReset>
        <p className="small ink2">
          Computes every payout again from the calls, by a separate formula, and compares it with what was
          paid.
        </p>
        {recomputed === null ? null : <Outcome recomputed={recomputed} />}
        <button className="btn" type="submit" name="recompute" value="1" aria-busy={busy}>
          Recompute
        </button>
      </Form>
    </Panel>
  );
}

function Outcome({ recomputed }: { recomputed: RecomputeResult }) {
  if ("refusal" in recomputed) return <Note tone="bad">{recomputed.refusal}</Note>;
  const { recomputation } = recomputed;
  const { callsCount, paidCents, checkedAt, differencesCount } = recomputation;
  return (
    <>
      {differencesCount === 0 ? (
        <Note tone="ok">Every payout is as the formula says.</Note>
      ) : (
        <Note tone="bad">
          {differencesCount === 1
            ? "1 payout is not what the formula says."
            : `${countOf(differencesCount, "payout")} are not what the formula says.`}
        </Note>
      )}
      <p className="small ink2 num">
        {fill(`${countOf(callsCount, "call")}, ${formatMoney(paidCents)} paid, checked {at}`, {
          at: <Moment at={checkedAt} />,
        })}
      </p>
      {differencesCount === 0 ? null : <Differences recomputation={recomputation} />}
    </>
  );
}

function Differences({ recomputation: { differences } }: { recomputation: RecomputationView }) {
  return (
    <ul className="small num">
      {differences.map(({ callId, mine, paidCents, expectedCents }) => (
        <li
          key={callId}
        >{`Call ${callId}${mine ? " (yours)" : ""}: paid ${formatMoney(paidCents)}, should be ${formatMoney(expectedCents)}`}</li>
      ))}
    </ul>
  );
}

/** The result of recomputing the payouts, or why it was refused. */
type RecomputeResult = { recomputation: RecomputationView } | { refusal: string };
type SettlementData = SettlementAnswer & {
  /** Null without `?recompute=1`. */
  recomputed: RecomputeResult | null;
};

/** How an event was settled. `?recompute=1` also recomputes its payouts. */
export async function loadSettlement({ api, params, url }: LoaderArgs): Promise<SettlementData> {
  const path = `/api/v1/events/${encodeURIComponent(params["eventId"] ?? "")}` as const;
  const recomputes = url.searchParams.has("recompute");
  const answer = await api.get(`${path}/settlement`);
  return { ...answer, recomputed: recomputes ? await recompute(api, path) : null };
}

async function recompute(api: Api, path: `/api/v1/events/${string}`): Promise<RecomputeResult> {
  try {
    return await api.get(`${path}/recomputation`);
  } catch (error) {
    return { refusal: refusedBy(error).refusal };
  }
}
