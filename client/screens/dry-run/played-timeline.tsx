import { formatLength } from "#client/blueprints/plan-times.ts";
import type { Column } from "#client/ui/table.tsx";
import type { ShownReport } from "#src/dry-runs/schemas.ts";
import * as texts from "./dry-run-texts.ts";
import { FoldedPanel } from "./folded-panel.tsx";
import { WideTable } from "./wide-table.tsx";

/** Everything that happened, in the order of time. */
export function PlayedTimeline({ report: { timeline, events } }: { report: ShownReport }) {
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
