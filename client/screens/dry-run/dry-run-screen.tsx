import { Link, useActionData, useLoaderData, useSearchParams } from "react-router";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { Icon } from "#client/ui/icon.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
import type { DryRunRefused } from "./act-on-dry-run.ts";
import { DryRunForm } from "./dry-run-form.tsx";
import { DryRunProgress } from "./dry-run-progress.tsx";
import { DryRunReport } from "./dry-run-report.tsx";
import * as texts from "./dry-run-texts.ts";
import { EarlierRuns } from "./earlier-runs.tsx";
import type { DryRunData } from "./load-dry-run.ts";
import { useProgress } from "./use-progress.ts";

/** Plays a blueprint with simulated players, and shows what came of it. */
export function DryRunScreen() {
  const { blueprint, dryRuns, shown: loaded } = useLoaderData<DryRunData>();
  const refused = useActionData<DryRunRefused>();
  const [search] = useSearchParams();
  const shown = useProgress(loaded);
  return (
    <PageLayout title={texts.titleOf(blueprint.name)} actions={<Actions id={blueprint.id} />}>
      {refused === undefined || refused.intent === "start" ? null : <Note tone="bad">{refused.refusal}</Note>}
      {search.get("said") === "fixed" ? <Note tone="ok">{texts.fixed}</Note> : null}
      <div className="split">
        <div className="stack wide">
          <Shown shown={shown} isEmpty={blueprint.blueprintEvents.length === 0} />
        </div>
        <aside className="stack wide">
          <DryRunForm
            isEmpty={blueprint.blueprintEvents.length === 0}
            refused={refused?.intent === "start" ? refused : undefined}
            last={shown?.options}
          />
          <EarlierRuns dryRuns={dryRuns} shownId={shown?.id ?? null} />
        </aside>
      </div>
    </PageLayout>
  );
}

function Actions({ id }: { id: number }) {
  return (
    <div className="row wrap">
      <Link className="btn sm ghost" to={`/blueprints/${id}`}>
        {texts.back}
      </Link>
      <Link className="btn sm ghost" to={`/blueprints/${id}/edit`}>
        {texts.editActions}
      </Link>
      <a className="btn sm primary only-narrow" href="#dry-run">
        <Icon name="plus" size="s" />
        {texts.newDryRun}
      </a>
    </div>
  );
}

function Shown({ shown, isEmpty }: Pick<DryRunData, "shown"> & { isEmpty: boolean }) {
  if (shown === null) {
    return (
      <section className="panel">
        <EmptyState icon="slip" title={texts.emptyTitle}>
          <p>{isEmpty ? texts.noActionsHint : texts.emptyHint}</p>
        </EmptyState>
      </section>
    );
  }
  const { state, failure, report } = shown;
  if (report !== null) return <DryRunReport dryRun={shown} report={report} />;
  if (state === "failed" && failure !== null) return <Note tone="bad">{texts.failureText(failure)}</Note>;
  if (state === "done") return <Note>{texts.unreadable}</Note>;
  if (state === "cancelled") return <Note>{texts.cancelled}</Note>;
  return <DryRunProgress dryRun={shown} />;
}
