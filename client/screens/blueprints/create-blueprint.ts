import { type ActionFunctionArgs, data } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { type BlueprintFields, blueprintIn, fieldsIn } from "./blueprint-fields.ts";
import { refusedInEditor } from "./refused-in-editor.ts";

/** Why the form of a new blueprint was refused, and what was typed. */
export type BlueprintRefused = Refused & { intent: string; fields: BlueprintFields; text: string };

/** Creates the blueprint, alone or from a text or a session, by the form's `intent`, and redirects to its editor. */
export async function createBlueprint({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const api = context.get(apiContext);
  const { intent, text, rows, name, session } = readForm(form, {
    intent: "text",
    text: "text",
    rows: "text",
    name: "optional",
    session: "text",
  });
  try {
    if (intent === "import") {
      // The lines as they were corrected on the page.
      const list = rows === "" ? text : rows;
      const { blueprint } = await api.post("/api/v1/blueprints/import", { blueprint: { text: list, name } });
      return seeOther(`/blueprints/${blueprint.id}/edit?said=brought`);
    }
    if (intent === "from_session") {
      const { blueprint } = await api.post("/api/v1/blueprints/from_session", { blueprint: { session } });
      return seeOther(`/blueprints/${blueprint.id}/edit?said=brought`);
    }
    const { blueprint } = await api.post("/api/v1/blueprints", { blueprint: blueprintIn(form) });
    return seeOther(`/blueprints/${blueprint.id}/edit?panel=paste&said=created`);
  } catch (error) {
    const { status, ...refused } = refusedInEditor(error);
    return data<BlueprintRefused>(
      { ...refused, intent: intent || "create", text, fields: fieldsIn(form) },
      { status },
    );
  }
}
