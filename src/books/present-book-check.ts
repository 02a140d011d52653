import * as v from "valibot";
import type { bookChecks } from "#db/schema/books.ts";
import { findingSchema, type FindingView } from "./schemas.ts";
import type { BookCheckView } from "./schemas.ts";

/** A check of the books as staff reads it, with the name of who asked for it. */
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

const findings = v.array(findingSchema);

/** What a check has found, as its row keeps it. */
export function readFindings(kept: unknown): FindingView[] {
  return v.parse(findings, kept);
}
