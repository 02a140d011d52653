import type { Queryable } from "#db/client.ts";
import { notFound } from "#src/base/refusal.ts";
import { findReport } from "./find-dry-runs.ts";

/** The report of a dry run as a file, byte for byte as it was written. @throws Refusal 404 before there is one. */
export async function downloadDryRun(db: Queryable, id: number): Promise<Response> {
  const report = await findReport(db, id);
  if (report === null) throw notFound();
  return new Response(report, {
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-disposition": `attachment; filename="called-it-dry-run-${id}.json"`,
      "cache-control": "private, no-store",
    },
  });
}
