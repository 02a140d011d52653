import { type ActionFunctionArgs, data } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { blueprintPath } from "#client/blueprints/load-blueprint.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";

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

/** Starts a dry run, or cancels one, by the form's `intent`, and shows it. */
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
    if (intent !== "start") throw data(null, { status: 400 });
    const { dryRun } = await api.post(`${blueprintPath(params["id"])}/dry_runs`, {
      dryRun: readForm(form, sentFields),
    });
    return seeOther(page(dryRun.id));
  } catch (error) {
    return refuseForm<DryRunRefused>(error, { intent, ...readForm(form, typedFields) });
  }
}
