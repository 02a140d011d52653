import type { SheetTable } from "#src/show/results-sheet/contract.ts";

/** What the results sheet of a session says. */
export const sheetTexts = {
  results: "Results",
  title: "Results sheet",
  about:
    "Who won and lost what, and how each question came out. The tables open in any spreadsheet; amounts are in dollars, times in UTC.",
  csv: { players: "Players, as CSV", questions: "Questions, as CSV" } satisfies Record<SheetTable, string>,
  json: "Both, as JSON",
  close: "Close",
};
