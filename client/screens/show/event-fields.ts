import { momentIn } from "#client/base/format/field-time.ts";
import { readForm } from "#client/ui/forms/read-form.ts";

/** Reads the form of a new event. */
export function newEventIn(form: FormData) {
  return readForm(form, {
    sessionId: "number",
    title: "text",
    trueLabel: "optional",
    falseLabel: "optional",
    startMode: "optional",
    offsetSeconds: "number",
    durationSeconds: "number",
  });
}

/** Reads the form of an existing event. Fields that may not change any more are not in the form, and so not in the result. */
export function changedEventIn(form: FormData) {
  const { title, description, startMode, ...event } = readForm(form, {
    title: "text",
    description: "text",
    trueLabel: "optional",
    falseLabel: "optional",
    startMode: "optional",
    offsetSeconds: "number",
    durationSeconds: "number",
    resolveWithinSeconds: "number",
    version: "number",
  });
  return {
    ...event,
    title: form.has("title") ? title : undefined,
    description: form.has("description") ? description : undefined,
    // Sent only if it was changed: an event that is outside the plan becomes part of it.
    startMode: form.get("start_mode") === form.get("start_mode_before") ? undefined : startMode,
    // The same: the field has whole seconds, and the planned time may have fractions.
    opensAt:
      form.get("opens_at") === form.get("opens_at_before") ? undefined : (momentIn(form, "opens_at") ?? ""),
  };
}
