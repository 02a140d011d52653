import { csvHeader, csvLine } from "#src/base/csv.ts";
import type { Deps } from "#src/base/deps.ts";
import { writeXlsx } from "#src/base/xlsx.ts";
import { snakeCase } from "#src/http/contract.ts";
import { download } from "#src/http/download.ts";
import { site } from "#src/settings/contract.ts";
import type { SheetQuery, SheetQuestion } from "./schemas.ts";
import { showSheet } from "./show-sheet.ts";

/** Lines that are made at once, so that a long sheet holds up no other request. */
const BATCH_LINES = 1_000;

type Cells = (string | number | null)[];
// A file that was made last year is compared with one of today: a column keeps its name and place, and a new one is the last.
const playerColumns = ["rank", "username", "team", "won", "lost", "wagered", "returned", "net"] as const;
const questionColumns: readonly (keyof SheetQuestion)[] = [
  ...(["position", "question", "trueLabel", "falseLabel", "state", "result"] as const),
  ...(["openedAt", "closedAt", "resolvedAt", "callers", "truePool", "falsePool", "pool"] as const),
  ...(["paid", "right", "explanation"] as const),
];
const headerOf = (column: string) => (column === "username" ? "player" : snakeCase(column));

export async function downloadSheet(
  deps: Pick<Deps, "pool" | "env">,
  slugOrId: string,
  { table }: SheetQuery,
): Promise<Response> {
  const { session, players, questions } = await showSheet(deps, slugOrId);
  const lines =
    table === "players" ? writeLines(playerColumns, players) : writeLines(questionColumns, questions);
  return download(lines, `${site().slug}-${table}-${session.slug}.csv`);
}

/** Both tables of the results sheet as a workbook: each on a sheet of its own, with the columns of the CSV files. */
export async function downloadWorkbook(
  deps: Pick<Deps, "pool" | "env">,
  slugOrId: string,
): Promise<Response> {
  const { session, players, questions } = await showSheet(deps, slugOrId);
  const workbook = writeXlsx([
    { name: "Players", rows: rowsOf(playerColumns, players) },
    { name: "Questions", rows: rowsOf(questionColumns, questions) },
  ]);
  return download(workbook, `${site().slug}-results-${session.slug}.xlsx`);
}

type Rows = readonly Readonly<Record<string, Cells[number]>>[];

function* rowsOf(columns: readonly string[], rows: Rows): Generator<Cells> {
  yield columns.map(headerOf);
  for (const row of rows) yield columns.map((column) => row[column] ?? null);
}

async function* writeLines(columns: readonly string[], rows: Rows): AsyncGenerator<string> {
  yield csvHeader(columns.map(headerOf));
  for (let from = 0; from < rows.length; from += BATCH_LINES) {
    const batch = rows.slice(from, from + BATCH_LINES);
    yield batch.map((row) => csvLine(columns.map((column) => row[column] ?? null))).join("");
  }
}
