import { serverNow } from "../clock.ts";
import { readForm } from "../read-form.ts";

const SECOND_MS = 1_000;

/** From when on calls are refunded: never, some seconds before the close, or from an exact moment. */
export const effectiveChoices = [
  { value: "", label: "All calls" },
  { value: "5", label: "-5 s" },
  { value: "10", label: "-10 s" },
  { value: "30", label: "-30 s" },
  { value: "exact", label: "Exact" },
] as const;

/** Reads the form of a result. */
export function verdictIn(form: FormData) {
  return { ...readForm(form, { result: "text", reason: "optional" }), effectiveAt: effectiveAtIn(form) };
}

/** Seconds count back from the close, which is in the form, or from now while the event is open. */
function effectiveAtIn(form: FormData): string | undefined {
  const fields = { effective: "text", effectiveAt: "moment", closedAt: "text" } as const;
  const { effective: choice, effectiveAt, closedAt } = readForm(form, fields);
  if (choice === "") return undefined;
  if (choice === "exact") return effectiveAt ?? "";
  const closedMs = closedAt === "" ? serverNow() : Date.parse(closedAt);
  return new Date(closedMs - Number(choice) * SECOND_MS).toISOString();
}
