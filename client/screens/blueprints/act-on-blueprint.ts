import { data } from "react-router";
import { momentIn } from "#client/base/format/field-time.ts";
import type { ActionArgs } from "#client/base/page/handle.ts";
import { blueprintPath } from "#client/blueprints/load-blueprint.ts";
import { type BrandFields, brandFieldsIn, brandIn } from "#client/sessions/brand-fields.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { ifMatchHeaders } from "#client/ui/forms/base-version.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { refusedInEditor } from "./refused-in-editor.ts";

/** Why a blueprint was not deleted, or no session generated, and what was typed. */
export type ActRefused = Refused & { intent: string; name: string; startsAt: string; brand: BrandFields };

/** Generates a session and redirects to its Admin tab, or copies, brands, deletes or brings back the blueprint, by the form's `intent`. */
export async function actOnBlueprint({ api, params, request, url }: ActionArgs) {
  const form = await request.formData();
  const path = blueprintPath(params["id"]);
  const { intent } = readForm(form, { intent: "text" });
  try {
    if (intent === "delete") {
      await api.delete(path);
      return seeOther("/blueprints?said=deleted");
    }
    if (intent === "duplicate") {
      const { blueprint } = await api.post(`${path}/duplicate`);
      return seeOther(`/blueprints/${blueprint.id}?said=copied`);
    }
    if (intent === "brand") {
      const blueprint = { defaults: { brand: brandIn(form) } };
      await api.patch(path, { blueprint }, ifMatchHeaders(form));
      return seeOther(`${url.pathname}?said=saved`);
    }
    if (intent === "undo") {
      const { removal } = readForm(form, { removal: "text" });
      await api.post(`/api/v1/blueprint_removals/${encodeURIComponent(removal)}/restore`);
      return seeOther(`${url.pathname}?said=restored`);
    }
    // The start was typed in the viewer's time zone, which the form sends along.
    const { session } = await api.post(`${path}/generate_session`, {
      session: { ...readForm(form, { name: "text" }), startsAt: momentIn(form, "starts_at") },
    });
    return seeOther(`/sessions/${session.slug}/admin`);
  } catch (error) {
    const { status, ...refused } = refusedInEditor(error);
    const typed = readForm(form, { name: "text", startsAt: "text" });
    return data<ActRefused>({ ...refused, ...typed, intent, brand: brandFieldsIn(form) }, { status });
  }
}
