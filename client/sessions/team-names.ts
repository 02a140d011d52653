import type { FieldErrors } from "../ui/field.tsx";

/** The names of teams as a form shows them: one a line. */
export function textOfTeams(names: readonly string[] = []): string {
  return names.join("\n");
}

/** The names that were typed, one a line. */
export function teamsIn(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The names in a form; undefined where its page has no such field, which is one of the release before. */
export function typedTeams(form: FormData): string[] | undefined {
  const text = form.get("teams");
  return typeof text === "string" ? teamsIn(text) : undefined;
}

/** What is wrong with the list of names, or with one of them. */
export function teamErrors(errors: FieldErrors): string[] | undefined {
  const field = Object.keys(errors).find((name) => /^settings\.teams(?:\.\d+)?$/.test(name));
  return field === undefined ? undefined : errors[field];
}
