import {
  settingFields,
  settingsIn,
  type SettingValues,
  textsOfSettings,
  valuesOf,
} from "#client/sessions/setting-values.ts";
import type { FieldErrors } from "#client/ui/field.tsx";
import { readForm } from "#client/ui/forms/read-form.ts";
import type { NewBlueprintAnswer } from "#src/show/blueprints/schemas.ts";

export type BlueprintFields = SettingValues & { name: string; description: string };

export function fieldsOf({
  name,
  description,
  defaults,
}: Pick<NewBlueprintAnswer["blueprint"], "name" | "description" | "defaults">): BlueprintFields {
  return { name, description, ...valuesOf(defaults) };
}

/** The values as they were sent, to be shown again beside the errors. */
export function fieldsIn(form: FormData): BlueprintFields {
  return readForm(form, { name: "text", description: "text", ...settingFields });
}

/** The blueprint as the API expects it. */
export function blueprintIn(form: FormData) {
  return { ...readForm(form, { name: "text", description: "text" }), defaults: settingsIn(form) };
}

/** The texts of the form's fields, by the names that errors use. */
export function textsOf({ name, description, ...settings }: BlueprintFields): Record<string, string> {
  return { name, description, ...textsOfSettings(settings, "defaults") };
}

/** Renames errors of the defaults to the names of the same settings in a session. */
export function settingErrors(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, texts]) => [field.replace(/^defaults\./, "settings."), texts]),
  );
}
