import { serverNow } from "../clock.ts";
import { textIn } from "../form-fields.ts";
import { fromFieldTime } from "../ui/time-format.ts";

const SECOND_MS = 1_000;

/** From when on calls do not count: not at all, or so many seconds before the close, or from a moment on. */
export const effectiveChoices = [
  { value: "", label: "All calls" },
  { value: "5", label: "-5 s" },
  { value: "10", label: "-10 s" },
  { value: "30", label: "-30 s" },
  { value: "exact", label: "Exact" },
] as const;

/** How an event ended, as the form says. */
export function verdictIn(form: FormData) {
  const reason = textIn(form, "reason").trim();
  return {
    result: textIn(form, "result"),
    effectiveAt: effectiveAtIn(form),
    reason: reason === "" ? undefined : reason,
  };
}

/** Seconds count back from the close, which the form carries, or from now where calls are still taken. */
function effectiveAtIn(form: FormData): string | undefined {
  const choice = textIn(form, "effective");
  if (choice === "") return undefined;
  if (choice === "exact") {
    const typed = textIn(form, "effective_at");
    return fromFieldTime(typed, textIn(form, "time_zone")) ?? typed;
  }
  const closedAt = textIn(form, "closed_at");
  const closedMs = closedAt === "" ? serverNow() : Date.parse(closedAt);
  return new Date(closedMs - Number(choice) * SECOND_MS).toISOString();
}
