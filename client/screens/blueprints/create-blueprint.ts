import { type ActionFunctionArgs, data } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { type BlueprintFields, blueprintIn, fieldsIn } from "./blueprint-fields.ts";
import { refusedInEditor } from "./refused-in-editor.ts";

/** Why the form of a new blueprint was refused, and what was typed. */
export type BlueprintRefused = Refused & { fields: BlueprintFields };

/** Creates the blueprint and redirects to the editor of its events. */
export async function createBlueprint({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  try {
    const { blueprint } = await context
      .get(apiContext)
      .post("/api/v1/blueprints", { blueprint: blueprintIn(form) });
    return seeOther(`/blueprints/${blueprint.id}/edit?panel=paste&said=created`);
  } catch (error) {
    const { status, ...refused } = refusedInEditor(error);
    return data<BlueprintRefused>({ ...refused, fields: fieldsIn(form) }, { status });
  }
}
