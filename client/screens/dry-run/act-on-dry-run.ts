import { type ActionFunctionArgs, data } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { apiContext } from "#client/base/page/context.ts";
import { blueprintPath } from "#client/blueprints/load-blueprint.ts";
import { planTimes } from "#client/blueprints/plan-times.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import { FormRefusal, type Refused } from "#client/ui/forms/refused.ts";
import type { BlueprintView } from "#src/show/blueprints/schemas.ts";
import { answerRemarks, findRemarks, isPaceRule, paceOfPlan } from "#src/show/events/pace/contract.ts";
import * as texts from "./dry-run-texts.ts";

const SECOND_MS = 1_000;

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

/** What was typed, by the name of the field. */
export type TypedOptions = Record<keyof typeof typedFields, string>;
export type DryRunRefused = Refused & { intent: string } & TypedOptions;

/** Starts a dry run, cancels one, or answers its remarks in the blueprint, by the form's `intent`, and shows it. */
export async function actOnDryRun({ context, params, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const api = context.get(apiContext);
  const { intent, run } = readForm(form, { intent: "text", run: "text" });
  const page = (id: number) => `/blueprints/${encodeURIComponent(params["id"] ?? "")}/dry_run?run=${id}`;
  try {
    if (intent === "cancel") {
      const { dryRun } = await api.put(`/api/v1/dry_runs/${encodeURIComponent(run)}/cancel`);
      return seeOther(page(dryRun.id));
    }
    if (intent === "fix") {
      await answerRemarksOf({ api, path: blueprintPath(params["id"]), runId: run });
      return seeOther(`${page(Number(run))}&said=fixed`);
    }
    if (intent !== "start") throw data(null, { status: 400 });
    const { dryRun } = await api.post(`${blueprintPath(params["id"])}/dry_runs`, {
      dryRun: readForm(form, sentFields),
    });
    return seeOther(page(dryRun.id));
  } catch (error) {
    return refuseForm<DryRunRefused>(error, { intent, ...readForm(form, typedFields) });
  }
}

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
    atLeast ? undefined : { opensInMs: opensAtSeconds * SECOND_MS, closesInMs: closesAtSeconds * SECOND_MS },
  );
  const { leadSeconds, settlementDelaySeconds } = defaults;
  return paceOfPlan(blueprintEvents, {
    leadSeconds,
    settlementDelaySeconds,
    slotOf: (index) => slots[index],
  });
}
