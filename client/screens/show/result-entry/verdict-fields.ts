import { momentIn } from "#client/base/format/field-time.ts";
import { serverNow } from "#client/base/live/clock.ts";
import { readForm } from "#client/ui/forms/read-form.ts";

const SECOND_MS = 1_000;

type Choice = { value: string; label: string };
const moments: readonly Choice[] = [
  { value: "5", label: "-5 s" },
  { value: "10", label: "-10 s" },
  { value: "30", label: "-30 s" },
  { value: "exact", label: "Exact" },
];

type EffectiveProps = {
  closedAt: string | null;
  /** From when on calls are refunded by the decided result; null if there is none, or no such moment. */
  decidedAt: string | null;
};

/**
 * From when on calls are refunded: never, some seconds before the close, or from an exact moment. A result that replaces one
 * with such a moment keeps it by default.
 */
export function effectiveChoices({ closedAt, decidedAt }: EffectiveProps): readonly Choice[] {
  const never = closedAt === null ? "All calls" : "Close time";
  if (decidedAt === null) return [{ value: "", label: never }, ...moments];
  return [{ value: "", label: "As before" }, { value: "all", label: never }, ...moments];
}

/** Reads the form of a result. `effectiveAt` is undefined to keep the decided moment, and null for none. */
export function verdictIn(form: FormData) {
  const fields = { result: "text", reason: "optional", graceMs: "number" } as const;
  return { ...readForm(form, fields), effectiveAt: effectiveAtIn(form) };
}

/** Seconds count back from the close, which is in the form, or from now while the event is open. */
function effectiveAtIn(form: FormData): string | null | undefined {
  const fields = { effective: "text", closedAt: "text" } as const;
  const { effective: choice, closedAt } = readForm(form, fields);
  if (choice === "") return undefined;
  if (choice === "all") return null;
  if (choice === "exact") return momentIn(form, "effective_at") ?? "";
  const closedMs = closedAt === "" ? serverNow() : Date.parse(closedAt);
  return new Date(closedMs - Number(choice) * SECOND_MS).toISOString();
}
