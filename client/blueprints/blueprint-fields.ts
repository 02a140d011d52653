import type { NewBlueprintAnswer } from "#src/blueprints/schemas.ts";
import { numberIn, textIn } from "../form-fields.ts";
import type { FieldErrors } from "../ui/field.tsx";

/** What the form of a blueprint itself holds, as it was typed. */
export type BlueprintFields = {
  name: string;
  description: string;
  leadSeconds: string;
  settlementDelaySeconds: string;
  smallRoom: boolean;
};

/** A blueprint as its form starts. */
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
  };
}

/** The form as it was sent, to be shown again beside what is wrong with it. */
export function fieldsIn(form: FormData): BlueprintFields {
  return {
    name: textIn(form, "name"),
    description: textIn(form, "description"),
    leadSeconds: textIn(form, "lead_seconds"),
    settlementDelaySeconds: textIn(form, "settlement_delay_seconds"),
    smallRoom: textIn(form, "small_room") === "1",
  };
}

/** The same as the API takes it. */
export function blueprintIn(form: FormData) {
  return {
    name: textIn(form, "name"),
    description: textIn(form, "description"),
    defaults: {
      leadSeconds: numberIn(form, "lead_seconds"),
      settlementDelaySeconds: numberIn(form, "settlement_delay_seconds"),
      smallRoom: textIn(form, "small_room") === "1",
    },
  };
}

/** What the form holds, as its fields show it, by the names that errors have. */
export function wordsOf(fields: BlueprintFields): Record<string, string> {
  return {
    name: fields.name,
    description: fields.description,
    "defaults.leadSeconds": fields.leadSeconds,
    "defaults.settlementDelaySeconds": fields.settlementDelaySeconds,
  };
}

/** What is wrong with the defaults, by the names that the same settings have in a session. */
export function settingErrors(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, texts]) => [field.replace(/^defaults\./, "settings."), texts]),
  );
}
