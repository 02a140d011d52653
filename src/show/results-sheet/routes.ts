import type { Deps } from "#src/base/deps.ts";
import { readLate } from "#src/http/read-late.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { downloadSheet, downloadWorkbook } from "./download-sheet.ts";
import { resultsSheetEndpoints } from "./endpoints.ts";
import { showSheet } from "./show-sheet.ts";

export function resultsSheetRoutes(deps: Deps) {
  return serveEndpoints(resultsSheetEndpoints, {
    showResultsSheet: async ({ request, params }) => ({
      sheet: await readLate(deps, request, (reader) => showSheet(reader, params.id)),
    }),
    downloadResultsSheet: ({ request, params, query }) =>
      readLate(deps, request, (reader) => downloadSheet(reader, params.id, query)),
    downloadResultsWorkbook: ({ request, params }) =>
      readLate(deps, request, (reader) => downloadWorkbook(reader, params.id)),
  });
}
