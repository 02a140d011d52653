import { formatCount } from "#client/base/format/count.ts";
import { formatMoney } from "#client/base/format/money.ts";
import { formatLength } from "#client/blueprints/plan-times.ts";
import { KeyValue } from "#client/ui/key-value.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import type { DryRunView, ShownReport } from "#src/dry-runs/schemas.ts";
import * as texts from "./dry-run-texts.ts";
import { PlayedActions } from "./played-actions.tsx";
import { PlayedPlayers } from "./played-players.tsx";
import { PlayedStrip } from "./played-strip.tsx";
import { PlayedTimeline } from "./played-timeline.tsx";
import { RushedPanel } from "./rushed-panel.tsx";

type ReportProps = { dryRun: DryRunView; report: ShownReport };

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
