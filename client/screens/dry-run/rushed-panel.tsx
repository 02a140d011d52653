import { Panel } from "#client/ui/page-layout.tsx";
import { type Column, Table } from "#client/ui/table.tsx";
import type { ShownReport } from "#src/dry-runs/schemas.ts";
import * as texts from "./dry-run-texts.ts";

/** What would feel rushed, action by action. */
export function RushedPanel({ report: { rushed, events } }: { report: ShownReport }) {
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
        <Table columns={columns} rows={rushed} keyOf={({ rule, event }) => `${rule} ${event}`} />
      )}
    </Panel>
  );
}
