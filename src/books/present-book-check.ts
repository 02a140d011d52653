import * as v from "valibot";
import type { bookChecks } from "#db/schema/books.ts";
import { findingSchema, type FindingView } from "./schemas.ts";
import type { BookCheckView } from "./schemas.ts";

/** A check of the books as the API returns it, with the name of the user who requested it. */
export function presentBookCheck(
  { id, checkedAt, durationMs, differencesCount, findings }: typeof bookChecks.$inferSelect,
  checkedBy: string | null,
): BookCheckView {
  return {
    id,
    checkedAt: checkedAt.toISOString(),
    durationMs,
    checkedBy,
    differencesCount,
    findings: readFindings(findings),
  };
}

const findingsSchema = v.array(findingSchema);

/** Parses the findings that a check's row stores as JSON. */
export function readFindings(stored: unknown): FindingView[] {
  return v.parse(findingsSchema, stored);
}
