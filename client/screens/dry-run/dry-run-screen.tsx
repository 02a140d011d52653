import { useCallback, useEffect, useRef, useState } from "react";
import { data, Link, useActionData, useLoaderData, useRevalidator, useSearchParams } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { countOf } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import { usePolling } from "#client/base/live/use-polling.ts";
import { useApi } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { blueprintPath } from "#client/blueprints/load-blueprint.ts";
import { moreTexts } from "#client/blueprints/more-texts.ts";
import { planTimes } from "#client/blueprints/plan-times.ts";
import { EmptyPanel } from "#client/ui/empty-state.tsx";
import { Field } from "#client/ui/field.tsx";
import { formAction, type RefusedForm } from "#client/ui/forms/form-action.ts";
import { PostButton, PostForm, Refusal } from "#client/ui/forms/post-form.tsx";
import { readForm } from "#client/ui/forms/read-form.ts";
import { FormRefusal } from "#client/ui/forms/refused.ts";
import { Icon } from "#client/ui/icon.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { dryRunDefaults, dryRunLimits as limits } from "#src/dry-runs/contract.ts";
import type { DryRunOptions, DryRunView, DryRunAnswer } from "#src/dry-runs/schemas.ts";
import { say, snakeCase } from "#src/http/contract.ts";
import type { BlueprintView } from "#src/show/blueprints/schemas.ts";
import { answerRemarks, isPaceRule, paceOfPlan, findRemarks } from "#src/show/events/pace/contract.ts";
import { DryRunReport, EarlierRuns } from "./dry-run-report.tsx";
import * as texts from "./dry-run-texts.ts";

const progressTitle = "Progress";

const fields = [
  {
    name: "players",
    label: words.players,
    hint: `From ${limits.playersMin} to ${limits.playersMax}. Each begins with $100.`,
    min: limits.playersMin,
    max: limits.playersMax,
  },
  {
    name: "skew",
    label: "Calls on the favourite, %",
    hint: "50: evenly split. The favourite wins as often, so this is how much the crowd knows.",
    min: limits.skewMin,
    max: limits.skewMax,
  },
  {
    name: "latencyMs",
    label: "Latency, ms",
    hint: "From the tap to the server, on average.",
    min: 0,
    max: limits.latencyMsMax,
  },
  {
    name: "lateTaps",
    label: "Late taps, %",
    hint: "Taps in the last second before the close.",
    min: 0,
    max: 100,
  },
  {
    name: "seed",
    label: "Seed",
    hint: "The same blueprint, settings and seed give the same result, to the byte.",
    min: 0,
    max: limits.seedMax,
  },
] as const;

const POLL_MS = 1_000;

const isUnfinished = (shown: ShownRun) => shown?.state === "waiting" || shown?.state === "playing";

const typedFields = {
  players: "text",
  skew: "text",
  latencyMs: "text",
  lateTaps: "text",
  seed: "text",
} as const;
const sentFields = {
  players: "number",
  skew: "number",
  latencyMs: "number",
  lateTaps: "number",
  seed: "number",
} as const;

/** Plays a blueprint with simulated players, and shows what came of it. */
export function DryRunScreen() {
  const { blueprint, dryRuns, shown: loaded } = useLoaderData<DryRunData>();
  const refused = useActionData<DryRunRefused>();
  const [search] = useSearchParams();
  const shown = useProgress(loaded);
  return (
    <PageLayout title={say`Dry run: ${blueprint.name}`} actions={<Actions id={blueprint.id} />}>
      {refused === undefined || refused.intent === "start" ? null : <Note tone="bad">{refused.refusal}</Note>}
      {search.get("said") === "fixed" ? (
        <Note tone="ok">
          The blueprint is changed: waits and times are as long as needed. A new dry run shows it.
        </Note>
      ) : null}
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
        {words.blueprint}
      </Link>
      <Link className="btn sm ghost" to={`/blueprints/${id}/edit`}>
        Edit actions
      </Link>
      <a className="btn sm primary only-narrow" href="#dry-run">
        <Icon name="plus" size="s" />
        New dry run
      </a>
    </div>
  );
}

function Shown({ shown, isEmpty }: Pick<DryRunData, "shown"> & { isEmpty: boolean }) {
  if (shown === null) {
    return (
      <EmptyPanel icon="slip" title="Not played yet">
        <p>
          {isEmpty
            ? "Add an action first: there is nothing to play."
            : "Simulated players play this blueprint in seconds: real rules and real books, on a clock and in a database that only the dry run uses. You see the timeline, the payouts, whether the books agree, and what would feel rushed."}
        </p>
      </EmptyPanel>
    );
  }
  const { state, failure, report } = shown;
  if (report !== null) return <DryRunReport dryRun={shown} report={report} />;
  if (state === "failed" && failure !== null) return <Note tone="bad">{texts.failureText(failure)}</Note>;
  if (state === "done")
    return (
      <Note>
        This report is of a newer version of the program, which this one cannot show. Play a new dry run.
      </Note>
    );
  if (state === "cancelled") return <Note>This dry run was cancelled. Nothing is left of it.</Note>;
  return <DryRunProgress dryRun={shown} />;
}

/** A dry run that has not ended: how far it is, or why nothing moves. */
function DryRunProgress({ dryRun }: { dryRun: DryRunView }) {
  const { id, stuck, eventsDone, eventsCount } = dryRun;
  return (
    <section className="panel pad stack" aria-label={progressTitle}>
      <h2>{texts.runOf(dryRun.options.players, dryRun.options.seed)}</h2>
      {stuck ? (
        <Note tone="warn">
          Nothing moves: no worker is playing it. It begins, or begins again, once a worker runs. Where the
          processes run apart, start the worker.
        </Note>
      ) : null}
      <progress
        className="upload"
        aria-label={progressTitle}
        value={eventsDone}
        max={Math.max(1, eventsCount)}
      />
      <p className="small ink2 num" role="status">
        {progressText(dryRun)}
      </p>
      <PostButton intent="cancel" className="btn" fields={{ run: id }}>
        Cancel dry run
      </PostButton>
    </section>
  );
}

function progressText({ state, aheadCount, eventsDone, eventsCount, callsCount }: DryRunView): string {
  if (state === "playing")
    return `${eventsDone} of ${countOf(eventsCount, "action")} played, ${countOf(callsCount, "call")}.`;
  return aheadCount > 0
    ? `Waiting: ${countOf(aheadCount, "dry run")} before this one.`
    : "Waiting for the worker to begin.";
}

type DryRunFormProps = {
  isEmpty: boolean;
  refused: DryRunRefused | undefined;
  /** How the dry run on the page is played; the form begins with it. */
  last: DryRunOptions | undefined;
};

function DryRunForm({ isEmpty, refused, last = dryRunDefaults }: DryRunFormProps) {
  return (
    <PostForm className="panel pad stack" id="dry-run" refused={refused}>
      <h2 className="panel-title">How it is played</h2>
      <Refusal refused={refused} />
      {fields.map(({ name, ...field }) => (
        <Field
          key={name}
          {...field}
          name={snakeCase(name)}
          type="number"
          inputMode="numeric"
          step={1}
          value={refused?.[name] ?? String(last[name])}
          errors={refused?.errors[name]}
        />
      ))}
      <div className="row">
        <Submit intent="start" disabledReason={isEmpty ? moreTexts.hasNoActions : null}>
          Start dry run
        </Submit>
      </div>
    </PostForm>
  );
}

type ShownRun = DryRunData["shown"];

/**
 * The shown dry run, asked for once a second until it has ended; then the page is loaded again. A question waits for the answer to
 * the one before it.
 */
function useProgress(loaded: ShownRun): ShownRun {
  const api = useApi();
  const { revalidate } = useRevalidator();
  const [asked, setAsked] = useState<ShownRun>(null);
  const asking = useRef<AbortController | null>(null);
  const shown = asked !== null && asked.id === loaded?.id && isUnfinished(loaded) ? asked : loaded;
  const id = shown?.id;
  const ask = useCallback(() => {
    if (id === undefined || asking.current !== null) return;
    const asks = new AbortController();
    asking.current = asks;
    api
      .get(`/api/v1/dry_runs/${id}`, { signal: asks.signal })
      .then(({ dryRun }) => {
        if (asks.signal.aborted) return;
        setAsked(dryRun);
        if (!isUnfinished(dryRun)) void revalidate();
      })
      // Without an answer the next question follows.
      .catch(() => undefined)
      .finally(() => {
        if (asking.current === asks) asking.current = null;
      });
  }, [api, id, revalidate]);
  useEffect(
    () => () => {
      asking.current?.abort();
      asking.current = null;
    },
    [id],
  );
  usePolling(ask, { everyMs: POLL_MS, enabled: isUnfinished(shown), whenVisible: true });
  return shown;
}

/** What was typed, and which form it was. */
type DryRunRefused = RefusedForm<typeof sentForms>;
const sentForms = { intent: "text", run: "text", ...typedFields } as const;

/** Starts a dry run, cancels one, or answers its remarks in the blueprint, by the form's `intent`, and shows it. */
export const actOnDryRun = formAction(sentForms, async ({ intent, run }, { api, form, params }) => {
  const path = blueprintPath(params["id"]);
  const page = (id: number) => `${path.replace("/api/v1", "")}/dry_run?run=${id}`;
  if (intent === "cancel") {
    const { dryRun } = await api.put(`/api/v1/dry_runs/${encodeURIComponent(run)}/cancel`);
    return page(dryRun.id);
  }
  if (intent === "fix") {
    await answerRemarksOf({ api, path, runId: run });
    return `${page(Number(run))}&said=fixed`;
  }
  if (intent !== "start") throw data(null, { status: 400 });
  const { dryRun } = await api.post(`${path}/dry_runs`, { dryRun: readForm(form, sentFields) });
  return page(dryRun.id);
});

type Remarked = { api: Api; path: `/api/v1/blueprints/${string}`; runId: string };

/** Changes the blueprint so that nothing of a dry run would feel rushed, as far as a plan can. */
async function answerRemarksOf({ api, path, runId }: Remarked): Promise<void> {
  const [{ blueprint }, { dryRun }] = await Promise.all([
    api.get(path),
    api.get(`/api/v1/dry_runs/${encodeURIComponent(runId)}`),
  ]);
  // The remarks are about the actions by their numbers.
  if (dryRun.outdated) throw new FormRefusal(texts.outdated, {});
  const { blueprintEvents: events } = blueprint;
  const remarks = (dryRun.report?.rushed ?? []).flatMap(({ rule, ...rest }) =>
    isPaceRule(rule) ? [{ rule, ...rest }] : [],
  );
  // What was played took the time of a simulated host; the plan has to do for every one.
  const changes = answerRemarks(events, [...remarks, ...findRemarks(paceOf(blueprint))]);
  const blueprintEvents = [...changes].flatMap(([index, change]) => {
    const event = events[index];
    return event === undefined ? [] : [{ id: event.id, version: event.version, ...change }];
  });
  if (blueprintEvents.length > 0)
    await api.post("/api/v1/blueprint_events/batch_update", { blueprintEvents });
}

function paceOf({ blueprintEvents, defaults }: BlueprintView) {
  const slots = planTimes(blueprintEvents).map(({ opensAtSeconds, closesAtSeconds, atLeast }) =>
    atLeast ? undefined : { opensInMs: opensAtSeconds * 1_000, closesInMs: closesAtSeconds * 1_000 },
  );
  const { leadSeconds, settlementDelaySeconds } = defaults;
  return paceOfPlan(blueprintEvents, {
    leadSeconds,
    settlementDelaySeconds,
    slotOf: (index) => slots[index],
  });
}

type DryRunData = {
  blueprint: BlueprintView;
  /** The newest first. */
  dryRuns: DryRunView[];
  /** The one in the address (`?run=12`), else the newest; null if there is none. */
  shown: DryRunAnswer["dryRun"] | null;
};

export async function loadDryRun({ api, params, url }: LoaderArgs): Promise<DryRunData> {
  const path = blueprintPath(params["id"]);
  const [{ blueprint }, { dryRuns }] = await Promise.all([api.get(path), api.get(`${path}/dry_runs`)]);
  const asked = Number(url.searchParams.get("run"));
  const chosen = dryRuns.find(({ id }) => id === asked) ?? dryRuns[0];
  if (chosen === undefined) return { blueprint, dryRuns, shown: null };
  const { dryRun } = await api.get(`/api/v1/dry_runs/${chosen.id}`);
  return { blueprint, dryRuns, shown: dryRun };
}
