import { rates } from "#src/http/rates.ts";
import { readLate } from "#src/http/read-late.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { forHosts } from "#src/play/session-endpoints.ts";
import { downloadSheet, downloadWorkbook } from "./download-sheet.ts";
import { sheetAnswer, sheetQuery } from "./schemas.ts";
import { showSheet } from "./show-sheet.ts";

/** Who won and lost what in a session, and how each question came out, for the desk after the show. */
export const resultsSheetEndpoints = {
  showResultsSheet: endpoint({
    ...forHosts,
    route: "GET /api/v1/sessions/:id/results",
    summary: "Shows the results sheet of a session: all its players and all its questions",
    notes:
      "All figures are of one moment. The nets of all players sum to zero, and what a question has paid is its pool. While the session goes on, the sheet is as far as its results.",
    rate: rates.resultsSheet,
    answer: sheetAnswer,
    handle: async (deps, { request, params }) => ({
      sheet: await readLate(deps, request, (reader) => showSheet(reader, params.id)),
    }),
  }),
  downloadResultsSheet: endpoint({
    ...forHosts,
    route: "GET /api/v1/sessions/:id/results.csv",
    summary: "Streams one table of the results sheet as a CSV file: `?table=players` or `questions`",
    notes:
      "UTF-8 with a byte order mark. Amounts are numbers in dollars, times are in UTC. Texts cannot run as formulas. New columns come after those of today.",
    query: sheetQuery.entries,
    rate: rates.resultsSheet,
    answer: "file",
    handle: (deps, { request, params, query }) =>
      readLate(deps, request, (reader) => downloadSheet(reader, params.id, query)),
  }),
  downloadResultsWorkbook: endpoint({
    ...forHosts,
    route: "GET /api/v1/sessions/:id/results.xlsx",
    summary:
      "Streams the results sheet as a workbook of Excel, with a sheet for players and one for questions",
    notes:
      "The columns and the sums of the CSV files. Numbers are numbers in every country; texts are texts.",
    rate: rates.resultsSheet,
    answer: "file",
    handle: (deps, { request, params }) =>
      readLate(deps, request, (reader) => downloadWorkbook(reader, params.id)),
  }),
};
