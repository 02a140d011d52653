import { Link } from "react-router";
import { fill } from "#client/ui/fill.tsx";
import type { IconName } from "#client/ui/icon.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill, type PillTone } from "#client/ui/pill.tsx";
import { Moment } from "#client/ui/time.tsx";
import { entriesOf } from "#src/base/contract.ts";
import { DRY_RUN_KEPT_DAYS } from "#src/dry-runs/contract.ts";
import type { DryRunView } from "#src/dry-runs/schemas.ts";
import * as texts from "./dry-run-texts.ts";

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
    <Panel title={texts.earlier}>
      <ul className="list">
        {dryRuns.map((dryRun) => (
          <EarlierRun key={dryRun.id} dryRun={dryRun} isShown={dryRun.id === shownId} />
        ))}
      </ul>
      <p className="body small ink2">{texts.keptFor(DRY_RUN_KEPT_DAYS)}</p>
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
          {fill(texts.startedBy, { at: <Moment at={createdAt} />, name: startedBy })}
        </span>
      </div>
      <Pill {...lookOf(state)}>{texts.stateLabel(state)}</Pill>
    </li>
  );
}
