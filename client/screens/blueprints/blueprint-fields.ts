import type { FieldErrors } from "#client/ui/field.tsx";
import { readForm } from "#client/ui/forms/read-form.ts";
import type { NewBlueprintAnswer } from "#src/show/blueprints/schemas.ts";

/** The values of a blueprint's form. */
export type BlueprintFields = {
  name: string;
  description: string;
  leadSeconds: string;
  settlementDelaySeconds: string;
  smallRoom: boolean;
  voidUncalled: boolean;
  houseDollar: boolean;
  chatApproval: boolean;
};

/** The values of a saved blueprint. */
export function fieldsOf({
  name,
  description,
  defaults,
}: Pick<NewBlueprintAnswer["blueprint"], "name" | "description" | "defaults">): BlueprintFields {
  return {
    name,
    description,
    leadSeconds: String(defaults.leadSeconds),
    settlementDelaySeconds: String(defaults.settlementDelaySeconds),
    smallRoom: defaults.smallRoom,
    voidUncalled: defaults.voidUncalled,
    houseDollar: defaults.houseDollar,
    chatApproval: defaults.chatApproval,
  };
}

/** The values as they were sent, to be shown again beside the errors. */
export function fieldsIn(form: FormData): BlueprintFields {
  return readForm(form, {
    name: "text",
    description: "text",
    leadSeconds: "text",
    settlementDelaySeconds: "text",
    smallRoom: "checkbox",
    voidUncalled: "checkbox",
    houseDollar: "checkbox",
    chatApproval: "checkbox",
  });
}

/** The blueprint as the API expects it. */
export function blueprintIn(form: FormData) {
  const { name, description, ...defaults } = readForm(form, {
    name: "text",
    description: "text",
    leadSeconds: "number",
    settlementDelaySeconds: "number",
    smallRoom: "checkbox",
    voidUncalled: "checkbox",
    houseDollar: "checkbox",
    chatApproval: "checkbox",
  });
  return { name, description, defaults };
}

/** The texts of the form's fields, by the names that errors use. */
export function textsOf(fields: BlueprintFields): Record<string, string> {
  return {
    name: fields.name,
    description: fields.description,
    "defaults.leadSeconds": fields.leadSeconds,
    "defaults.settlementDelaySeconds": fields.settlementDelaySeconds,
  };
}

/** Renames errors of the defaults to the names of the same settings in a session. */
export function settingErrors(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, texts]) => [field.replace(/^defaults\./, "settings."), texts]),
  );
}
