import * as v from "valibot";
import type { bookChecks } from "#db/schema/books.ts";
import { present } from "#src/http/present.ts";
import { bookCheckSchema, type BookCheckView, findingSchema, type FindingView } from "./schemas.ts";

/** A check of the books as the API returns it, with the name of the user who requested it. */
export function presentBookCheck(
  row: typeof bookChecks.$inferSelect,
  checkedBy: string | null,
): BookCheckView {
  return present(bookCheckSchema, { ...row, checkedBy, findings: readFindings(row.findings) });
}

const findingsSchema = v.array(findingSchema);

/** Parses the findings that a check's row stores as JSON. */
export function readFindings(stored: unknown): FindingView[] {
  return v.parse(findingsSchema, stored);
}
