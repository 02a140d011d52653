import type { bookChecks } from "#db/schema/books.ts";
import { readFindings } from "./read-findings.ts";
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
