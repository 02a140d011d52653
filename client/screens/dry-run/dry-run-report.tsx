import { type ReactNode } from "react";
import { Link } from "react-router";
import { formatCount, countOf } from "#client/base/format/count.ts";
import { formatMoney } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { formatLength } from "#client/blueprints/plan-times.ts";
import { TimelineStrip } from "#client/blueprints/timeline-strip.tsx";
import { fill } from "#client/ui/fill.tsx";
import { PostForm } from "#client/ui/forms/post-form.tsx";
import { type IconName } from "#client/ui/icon.tsx";
import { KeyValue } from "#client/ui/key-value.tsx";
import { List } from "#client/ui/list.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill, type PillTone } from "#client/ui/pill.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { type Column, Table, type TableProps } from "#client/ui/table.tsx";
import { Moment } from "#client/ui/time.tsx";
import { labelsOf, entriesOf } from "#src/base/contract.ts";
import {
  type InvariantName,
  type RushedRule,
  type TimelineKind,
  DRY_RUN_KEPT_DAYS,
} from "#src/dry-runs/contract.ts";
import type { DryRunView, ShownReport } from "#src/dry-runs/schemas.ts";
import { say } from "#src/http/contract.ts";
import { isPaceRule } from "#src/show/events/pace/contract.ts";
import * as texts from "./dry-run-texts.ts";

const numbered = (event: number, title: string) => say`${event}. ${title}`;

const kindLabel = labelsOf<TimelineKind>({
  session_started: "Session started",
  session_stopped: "Session stopped",
  visible: "Visible",
  open: "Open for calls",
  closed: "Closed",
  decided: "Host decided",
  resolved: "Result",
  paid: "Paid",
  hidden: "Hidden",
});

const happened = "What happened";

const rushedText: Record<RushedRule, (measured: number, wanted: number) => string> = {
  little_time_to_read: (measured, wanted) =>
    `${measured} s to read and call. At this length people need ${wanted} s.`,
  no_pause_after_result: (measured, wanted) =>
    `Opens ${measured} s after the result before it. ${wanted} s let people see it.`,
  opens_before_result: (measured) => `Opens ${-measured} s before the action before it has its result.`,
  many_late_taps: (measured, wanted) => `${measured}% of the taps came too late. Up to ${wanted}% is usual.`,
  little_time_to_decide: (measured, wanted) =>
    `The result is due ${measured} s after the close. ${wanted} s let the host look twice.`,
};

const invariantLabel = labelsOf<InvariantName>({
  ledger_sum: "The sum of all accounts is zero",
  payouts: "Every call was paid what the formula says",
  books: "Every check of the books finds nothing",
  wallets: "Money only moved between players",
  calls: "Every accepted call is on record, in the right state",
  sides: "Every side has the state and the win of its action",
  schedule: "Every action was due when the plan says",
  facts: "What was broadcast leads to what is stored",
  in_time: "Calls before the close counted, and no others",
  ended: "Every action got its result and was paid",
});

const wagered = "Wagered";

type ReportProps = { dryRun: DryRunView; report: ShownReport };

const actionColumns: readonly Column<Played>[] = [
  { head: words.action, cell: ({ event, title }) => numbered(event, title), cellClass: "strong" },
  {
    head: words.open,
    cell: ({ openedAtMs, closedAtMs }) => openText(openedAtMs, closedAtMs),
    cellClass: "num",
  },
  { head: words.result, cell: (played) => resultText(played, played.result) },
  { head: "True side", cell: (played) => <OnSide side={played.true} />, cellClass: "num" },
  { head: "False side", cell: (played) => <OnSide side={played.false} />, cellClass: "num" },
  { head: "Late", cell: ({ lateCount }) => lateCount, end: true, cellClass: "num" },
];

export function DryRunReport({ dryRun, report }: ReportProps) {
  const failed = report.invariants.filter(({ holds }) => !holds).length;
  const count = report.invariants.length;
  return (
    <>
      {dryRun.outdated ? <Note tone="warn">{texts.outdated}</Note> : null}
      <Note tone={failed === 0 ? "ok" : "bad"}>
        <b>{failed === 0 ? `All ${count} checks hold.` : `${failed} of ${count} checks do not hold.`}</b>{" "}
        {texts.runOf(dryRun.options.players, dryRun.options.seed)}
      </Note>
      <RushedPanel dryRun={dryRun} report={report} />
      <PlayedStrip report={report} />
      <PlayedActions report={report} />
      <Summary dryRun={dryRun} report={report} />
      <Checks report={report} />
      <PlayedPlayers report={report} />
      <PlayedTimeline report={report} />
    </>
  );
}

function Summary({ dryRun, report: { summary } }: ReportProps) {
  const facts = {
    Length: formatLength(summary.lengthMs / 1_000),
    Taps: formatCount(summary.tapsCount),
    "Calls placed": formatCount(summary.callsCount),
    "Too late": formatCount(summary.lateCount),
    "Refused otherwise": formatCount(summary.refusedCount),
    [wagered]: formatMoney(summary.wageredCents),
    "Paid to winners": formatMoney(summary.paidCents),
    "Given back": formatMoney(summary.refundedCents),
    "Sum of the books": formatMoney(summary.ledgerSumCents),
  };
  return (
    <Panel
      title="Summary"
      aside={
        <a href={`/api/v1/dry_runs/${dryRun.id}/report.json`} download>
          Download as JSON
        </a>
      }
    >
      <dl className="plan-facts body">
        {Object.entries(facts).map(([name, value]) => (
          <KeyValue key={name} label={name}>
            {value}
          </KeyValue>
        ))}
      </dl>
    </Panel>
  );
}

function Checks({ report: { invariants } }: { report: ShownReport }) {
  return (
    <Panel title="Checks">
      <ul className="list">
        {invariants.map(({ name, holds, violations }) => (
          <li key={name} className="dense">
            <div className="grow small">
              {invariantLabel(name)}
              {violations.map((violation) => (
                <p key={violation} className="tiny ink2">
                  {violation}
                </p>
              ))}
            </div>
            <Pill
              icon={holds ? "tick" : "warning"}
              tone={holds ? "ok" : "bad"}
              text={holds ? "Holds" : "Fails"}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function PlayedStrip({ report }: { report: ShownReport }) {
  const { events, summary } = report;
  const seconds = Math.max(1, summary.lengthMs / 1_000);
  const rushed = new Set(report.rushed.map(({ event }) => event));
  const blocks = events.flatMap(({ event, openedAtMs, closedAtMs }) =>
    openedAtMs === null || closedAtMs === null
      ? []
      : {
          id: event,
          position: event,
          opensAtSeconds: openedAtMs / 1_000,
          closesAtSeconds: closedAtMs / 1_000,
          look: rushed.has(event) ? "bad" : "",
        },
  );
  return (
    <TimelineStrip
      blocks={blocks}
      seconds={seconds}
      total={`${countOf(events.length, "action")} in ${formatLength(seconds)}`}
      label="Timeline"
    >
      <p className="tiny ink2">
        Each block is an action while it was open. The tables below have the same as text.
      </p>
    </TimelineStrip>
  );
}

function PlayedTimeline({ report: { timeline, events } }: { report: ShownReport }) {
  const columns: readonly Column<ShownReport["timeline"][number]>[] = [
    { head: "Time", cell: ({ atMs }) => formatLength(atMs / 1_000), cellClass: "num" },
    { head: happened, cell: ({ what }) => kindLabel(what) },
    {
      head: words.action,
      cell: ({ event }) => (event === null ? words.session : numbered(event, events[event - 1]?.title ?? "")),
    },
  ];
  return (
    <FoldedPanel title={`Everything that happened, in ${countOf(timeline.length, "step")}`}>
      <WideTable
        label={happened}
        columns={columns}
        rows={timeline}
        keyOf={({ atMs, what, event }) => `${atMs} ${what} ${event ?? ""}`}
      />
    </FoldedPanel>
  );
}

/** What would feel rushed, action by action, and the button that changes the plan accordingly. */
function RushedPanel({ dryRun, report: { rushed, events } }: { dryRun: DryRunView; report: ShownReport }) {
  const isFixable = !dryRun.outdated && rushed.some(({ rule }) => isPaceRule(rule));
  const columns: readonly Column<ShownReport["rushed"][number]>[] = [
    {
      head: words.action,
      cell: ({ event }) => numbered(event, events[event - 1]?.title ?? ""),
      cellClass: "strong",
    },
    { head: "What", cell: ({ rule, measured, wanted }) => rushedText[rule](measured, wanted) },
  ];
  return (
    <Panel title="What would feel rushed" aside={countOf(rushed.length, "remark")}>
      {rushed.length === 0 ? (
        <p className="body">Nothing: there is time to read, to decide and to breathe.</p>
      ) : (
        <>
          <Table columns={columns} rows={rushed} keyOf={({ rule, event }) => `${rule} ${event}`} />
          {isFixable ? <FixAll runId={dryRun.id} /> : null}
        </>
      )}
    </Panel>
  );
}

function FixAll({ runId }: { runId: number }) {
  return (
    <PostForm className="body row wrap" fields={{ run: runId }}>
      <Submit intent="fix" className="btn">
        Fix all
      </Submit>
      <span className="small ink2">
        Longer waits, longer open, more time for results: in the blueprint, as needed.
      </span>
    </PostForm>
  );
}

type Played = ShownReport["events"][number];

/** What came of each action: its times, its result and its pool. */
function PlayedActions({ report: { events } }: { report: ShownReport }) {
  return (
    <Panel title={words.actions}>
      <WideTable label={words.actions} columns={actionColumns} rows={events} keyOf={({ event }) => event} />
    </Panel>
  );
}

function resultText({ trueLabel, falseLabel }: Played, result: Played["result"]): string {
  if (result === null) return words.none;
  const labels = { true: trueLabel, false: falseLabel, void: words.voidResult };
  return labels[result];
}

function OnSide({ side: { wageredCents, callsCount } }: { side: Played["true"] }) {
  return (
    <>
      {formatMoney(wageredCents)}
      <br />
      <span className="tiny ink2">{countOf(callsCount, "call")}</span>
    </>
  );
}

function openText(openedAtMs: number | null, closedAtMs: number | null): string {
  if (openedAtMs === null || closedAtMs === null) return words.none;
  return `${formatLength(openedAtMs / 1_000)}–${formatLength(closedAtMs / 1_000)}`;
}

const playerColumns: readonly Column<ShownReport["players"][number]>[] = [
  { head: words.player, cell: ({ player }) => player, cellClass: "num" },
  {
    head: words.won,
    cell: ({ wonCount, callsCount }) => `${formatCount(wonCount)} of ${formatCount(callsCount)}`,
    cellClass: "num",
  },
  {
    head: wagered,
    cell: ({ wageredCents }) => formatMoney(wageredCents),
    end: true,
    cellClass: "num",
  },
  {
    head: words.balance,
    cell: ({ balanceCents }) => formatMoney(balanceCents),
    end: true,
    cellClass: "num",
  },
];

function PlayedPlayers({ report: { players } }: { report: ShownReport }) {
  return (
    <FoldedPanel title={`${countOf(players.length, "player")}, one by one`}>
      <WideTable
        label={words.players}
        columns={playerColumns}
        rows={players}
        keyOf={({ player }) => player}
      />
    </FoldedPanel>
  );
}

/** A section that is long: closed at first. */
function FoldedPanel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="panel event-editor">
      <summary>{title}</summary>
      {children}
    </details>
  );
}

/** A table that scrolls by itself where the screen is narrow; with the arrow keys too. */
function WideTable<Row>({ label, ...table }: TableProps<Row> & { label: string }) {
  return (
    <div className="strip-window" tabIndex={0} role="group" aria-label={label}>
      <Table {...table} />
    </div>
  );
}

/** The latest dry runs of the blueprint. Hidden where there are none. */
export function EarlierRuns({
  dryRuns,
  shownId,
}: {
  dryRuns: readonly DryRunView[];
  shownId: number | null;
}) {
  if (dryRuns.length === 0) return null;
  return (
    <Panel title="Latest dry runs">
      <List
        items={dryRuns}
        row={(dryRun) => <EarlierRun key={dryRun.id} dryRun={dryRun} isShown={dryRun.id === shownId} />}
      />
      <p className="body small ink2">{`Each is kept for ${countOf(DRY_RUN_KEPT_DAYS, "day")}.`}</p>
    </Panel>
  );
}

function EarlierRun({ dryRun, isShown }: { dryRun: DryRunView; isShown: boolean }) {
  const { id, state, options, createdAt, startedBy } = dryRun;
  return (
    <li>
      <div className="grow">
        <Link to={`?run=${id}`} aria-current={isShown ? "true" : undefined}>
          {texts.runOf(options.players, options.seed)}
        </Link>
        <br />
        <span className="tiny ink2">
          {fill("{at} by {name}", { at: <Moment at={createdAt} />, name: startedBy })}
        </span>
      </div>
      <Pill {...lookOf(state)} text={texts.stateLabel(state)} />
    </li>
  );
}

const lookOf = entriesOf<DryRunView["state"], { icon: IconName; tone: PillTone }>(
  {
    waiting: { icon: "clock", tone: "outline" },
    playing: { icon: "clock", tone: "live" },
    done: { icon: "tick", tone: "ok" },
    failed: { icon: "warning", tone: "bad" },
    cancelled: { icon: "cross", tone: "gone" },
  },
  { icon: "none", tone: "plain" },
);
