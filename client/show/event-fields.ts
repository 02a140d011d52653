import { readForm } from "../read-form.ts";

/** Reads the form of a new event. */
export function newEventIn(form: FormData) {
  return readForm(form, {
    sessionId: "number",
    title: "text",
    trueLabel: "optional",
    falseLabel: "optional",
    durationSeconds: "number",
  });
}

/** Reads the form of an existing event. Fields that may not change any more are not in the form, and so not in the result. */
export function changedEventIn(form: FormData) {
  const { description, opensAt, ...event } = readForm(form, {
    title: "text",
    description: "text",
    trueLabel: "optional",
    falseLabel: "optional",
    durationSeconds: "number",
    resolveWithinSeconds: "number",
    opensAt: "moment",
    version: "number",
  });
  return {
    ...event,
    description: form.has("description") ? description : undefined,
    // Sent only if it was changed: the field has whole seconds, and the planned time may have fractions.
    opensAt: form.get("opens_at") === form.get("opens_at_before") ? undefined : (opensAt ?? ""),
  };
}
