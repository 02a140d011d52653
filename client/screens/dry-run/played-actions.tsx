import { formatMoney } from "#client/base/format/money.ts";
import { formatLength } from "#client/blueprints/plan-times.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import type { Column } from "#client/ui/table.tsx";
import type { ShownReport } from "#src/dry-runs/schemas.ts";
import * as texts from "./dry-run-texts.ts";
import { WideTable } from "./wide-table.tsx";

type Played = ShownReport["events"][number];

/** What came of each action: its times, its result and its pool. */
export function PlayedActions({ report: { events } }: { report: ShownReport }) {
  return (
    <Panel title={texts.actions}>
      <WideTable label={texts.actions} columns={columns} rows={events} keyOf={({ event }) => event} />
    </Panel>
  );
}

const columns: readonly Column<Played>[] = [
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
