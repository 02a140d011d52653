import { type ActionFunctionArgs, data, redirect } from "react-router";
import { apiContext } from "../context.ts";
import type { Refused } from "../refused.ts";
import { type BlueprintFields, blueprintIn, fieldsIn } from "./blueprint-fields.ts";
import { refusedInEditor } from "./refused-in-editor.ts";

/** Why the form of a new blueprint did not stand, and what it held. */
export type BlueprintRefused = Refused & { fields: BlueprintFields };

const SEE_OTHER = 303;

/** Makes the blueprint that the form describes, and goes on to its actions. */
export async function createBlueprint({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  try {
    const { blueprint } = await context
      .get(apiContext)
      .post("/api/v1/blueprints", { blueprint: blueprintIn(form) });
    return redirect(`/blueprints/${blueprint.id}/edit?panel=paste&said=created`, SEE_OTHER);
  } catch (error) {
    const { status, ...refused } = refusedInEditor(error);
    return data<BlueprintRefused>({ ...refused, fields: fieldsIn(form) }, { status });
  }
}
