import { snakeCase } from "#src/http/contract.ts";
import type { Refused } from "./refused.ts";

type Texts = Readonly<Record<string, unknown>>;

/**
 * Binds fields to what was typed in a form that was refused, with its errors, else to what is saved.
 * Example: `<Field label="Name" {...bind("name")} />`
 * @param refused the refusal with the texts, by the names of the fields in camelCase.
 */
export function boundTo(
  refused: (Partial<Refused> & Texts) | undefined,
  saved: Texts = {},
  nameOf = snakeCase,
) {
  return (field: string) => ({
    name: nameOf(field),
    value: textOf(refused?.[field] ?? saved[field]),
    errors: refused?.errors?.[field],
  });
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
