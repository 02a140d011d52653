import { numberIn, textIn } from "../form-fields.ts";
import { fromFieldTime } from "../ui/time-format.ts";

/** What is asked in the form of a new action. */
export function askedEvent(form: FormData) {
  return {
    sessionId: numberIn(form, "session_id"),
    title: textIn(form, "title"),
    trueLabel: given(form, "true_label"),
    falseLabel: given(form, "false_label"),
    durationSeconds: numberIn(form, "duration_seconds"),
  };
}

/** What the form of an event says of it. Fields that may not change any more are not in the form, and so not in here. */
export function changedEvent(form: FormData) {
  const opensAt = textIn(form, "opens_at");
  return {
    title: textIn(form, "title"),
    description: form.has("description") ? textIn(form, "description") : undefined,
    trueLabel: given(form, "true_label"),
    falseLabel: given(form, "false_label"),
    durationSeconds: numberIn(form, "duration_seconds"),
    resolveWithinSeconds: numberIn(form, "resolve_within_seconds"),
    // Only where it was changed: the field holds whole seconds, and the plan may lie between them.
    opensAt:
      opensAt === textIn(form, "opens_at_before")
        ? undefined
        : (fromFieldTime(opensAt, textIn(form, "time_zone")) ?? opensAt),
    version: numberIn(form, "version"),
  };
}

function given(form: FormData, name: string): string | undefined {
  const text = textIn(form, name).trim();
  return text === "" ? undefined : text;
}
