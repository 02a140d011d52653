import type { ReactNode } from "react";
import { Form } from "react-router";
import { formatCount } from "#client/base/format/count.ts";
import { formatMoney } from "#client/base/format/money.ts";
import { formatLength } from "#client/blueprints/plan-times.ts";
import { TimelineStrip } from "#client/blueprints/timeline-strip.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { KeyValue } from "#client/ui/key-value.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { type Column, Table, type TableProps } from "#client/ui/table.tsx";
import type { DryRunView, ShownReport } from "#src/dry-runs/schemas.ts";
import { isPaceRule } from "#src/show/events/pace/contract.ts";
import * as texts from "./dry-run-texts.ts";

type ReportProps = { dryRun: DryRunView; report: ShownReport };

const actionColumns: readonly Column<Played>[] = [
  { head: texts.action, cell: ({ event, title }) => texts.numbered(event, title), cellClass: "strong" },
  {
    head: texts.openTime,
    cell: ({ openedAtMs, closedAtMs }) => openText(openedAtMs, closedAtMs),
    cellClass: "num",
  },
  { head: texts.result, cell: (played) => resultText(played, played.result) },
  { head: texts.trueSide, cell: (played) => <OnSide side={played.true} />, cellClass: "num" },
  { head: texts.falseSide, cell: (played) => <OnSide side={played.false} />, cellClass: "num" },
  { head: texts.lateColumn, cell: ({ lateCount }) => lateCount, end: true, cellClass: "num" },
];

/** What came of a dry run. */
export function DryRunReport({ dryRun, report }: ReportProps) {
  const failed = report.invariants.filter(({ holds }) => !holds).length;
  const count = report.invariants.length;
  return (
    <>
      {dryRun.outdated ? <Note tone="warn">{texts.outdated}</Note> : null}
      <Note tone={failed === 0 ? "ok" : "bad"}>
        <b>{failed === 0 ? texts.allHold(count) : texts.someFail(failed, count)}</b>{" "}
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
    [texts.length]: formatLength(summary.lengthMs / 1_000),
    [texts.taps]: formatCount(summary.tapsCount),
    [texts.calls]: formatCount(summary.callsCount),
    [texts.late]: formatCount(summary.lateCount),
    [texts.refused]: formatCount(summary.refusedCount),
    [texts.wagered]: formatMoney(summary.wageredCents),
    [texts.paid]: formatMoney(summary.paidCents),
    [texts.refunded]: formatMoney(summary.refundedCents),
    [texts.ledgerSum]: formatMoney(summary.ledgerSumCents),
  };
  return (
    <Panel
      title={texts.summary}
      aside={
        <a href={`/api/v1/dry_runs/${dryRun.id}/report.json`} download>
          {texts.download}
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
    <Panel title={texts.checks}>
      <ul className="list">
        {invariants.map(({ name, holds, violations }) => (
          <li key={name} className="dense">
            <div className="grow small">
              {texts.invariantLabel(name)}
              {violations.map((violation) => (
                <p key={violation} className="tiny ink2">
                  {violation}
                </p>
              ))}
            </div>
            <Pill icon={holds ? "tick" : "warning"} tone={holds ? "ok" : "bad"}>
              {holds ? texts.holds : texts.fails}
            </Pill>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The show as it was played, to scale. */
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
      total={texts.drawn(events.length, formatLength(seconds))}
      label={texts.timeline}
    >
      <p className="tiny ink2">{texts.drawnHint}</p>
    </TimelineStrip>
  );
}

/** Everything that happened, in the order of time. */
function PlayedTimeline({ report: { timeline, events } }: { report: ShownReport }) {
  const columns: readonly Column<ShownReport["timeline"][number]>[] = [
    { head: texts.time, cell: ({ atMs }) => formatLength(atMs / 1_000), cellClass: "num" },
    { head: texts.happened, cell: ({ what }) => texts.kindLabel(what) },
    {
      head: texts.action,
      cell: ({ event }) =>
        event === null ? texts.session : texts.numbered(event, events[event - 1]?.title ?? ""),
    },
  ];
  return (
    <FoldedPanel title={texts.everything(timeline.length)}>
      <WideTable
        label={texts.happened}
        columns={columns}
        rows={timeline}
        keyOf={({ atMs, what, event }) => `${atMs} ${what} ${event ?? ""}`}
      />
    </FoldedPanel>
  );
}

type RushedPanelProps = { dryRun: DryRunView; report: ShownReport };

/** What would feel rushed, action by action, and the button that changes the plan accordingly. */
function RushedPanel({ dryRun, report: { rushed, events } }: RushedPanelProps) {
  const isFixable = !dryRun.outdated && rushed.some(({ rule }) => isPaceRule(rule));
  const columns: readonly Column<ShownReport["rushed"][number]>[] = [
    {
      head: texts.action,
      cell: ({ event }) => texts.numbered(event, events[event - 1]?.title ?? ""),
      cellClass: "strong",
    },
    { head: texts.what, cell: ({ rule, measured, wanted }) => texts.rushed[rule](measured, wanted) },
  ];
  return (
    <Panel title={texts.rushedTitle} aside={texts.rushedCount(rushed.length)}>
      {rushed.length === 0 ? (
        <p className="body">{texts.nothingRushed}</p>
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
    <Form method="post" className="body row wrap">
      <CsrfField />
      <input type="hidden" name="run" value={runId} />
      <Submit intent="fix" className="btn">
        {texts.fixAll}
      </Submit>
      <span className="small ink2">{texts.fixAllHint}</span>
    </Form>
  );
}

type Played = ShownReport["events"][number];

/** What came of each action: its times, its result and its pool. */
function PlayedActions({ report: { events } }: { report: ShownReport }) {
  return (
    <Panel title={texts.actions}>
      <WideTable label={texts.actions} columns={actionColumns} rows={events} keyOf={({ event }) => event} />
    </Panel>
  );
}

function resultText({ trueLabel, falseLabel }: Played, result: Played["result"]): string {
  if (result === null) return texts.none;
  const labels = { true: trueLabel, false: falseLabel, void: texts.results.void };
  return labels[result];
}

function OnSide({ side: { wageredCents, callsCount } }: { side: Played["true"] }) {
  return (
    <>
      {formatMoney(wageredCents)}
      <br />
      <span className="tiny ink2">{texts.callsOn(callsCount)}</span>
    </>
  );
}

function openText(openedAtMs: number | null, closedAtMs: number | null): string {
  if (openedAtMs === null || closedAtMs === null) return texts.none;
  return texts.fromTo(formatLength(openedAtMs / 1_000), formatLength(closedAtMs / 1_000));
}

const playerColumns: readonly Column<ShownReport["players"][number]>[] = [
  { head: texts.player, cell: ({ player }) => player, cellClass: "num" },
  {
    head: texts.won,
    cell: ({ wonCount, callsCount }) => texts.ofCalls(wonCount, callsCount),
    cellClass: "num",
  },
  {
    head: texts.wagered,
    cell: ({ wageredCents }) => formatMoney(wageredCents),
    end: true,
    cellClass: "num",
  },
  {
    head: texts.balance,
    cell: ({ balanceCents }) => formatMoney(balanceCents),
    end: true,
    cellClass: "num",
  },
];

/** What the show was for each player. */
function PlayedPlayers({ report: { players } }: { report: ShownReport }) {
  return (
    <FoldedPanel title={texts.playersOf(players.length)}>
      <WideTable
        label={texts.playersTitle}
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
