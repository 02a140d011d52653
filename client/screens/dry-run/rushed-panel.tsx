import { Form } from "react-router";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { type Column, Table } from "#client/ui/table.tsx";
import type { DryRunView, ShownReport } from "#src/dry-runs/schemas.ts";
import { isPaceRule } from "#src/show/events/pace/contract.ts";
import * as texts from "./dry-run-texts.ts";

type RushedPanelProps = { dryRun: DryRunView; report: ShownReport };

/** What would feel rushed, action by action, and the button that changes the plan accordingly. */
export function RushedPanel({ dryRun, report: { rushed, events } }: RushedPanelProps) {
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
