import { csvHeader, csvLine } from "#src/base/csv.ts";
import type { Deps } from "#src/base/deps.ts";
import { XLSX_TYPE, writeXlsx } from "#src/base/xlsx.ts";
import { streamParts } from "#src/http/stream-parts.ts";
import type { SheetPlayer, SheetQuery, SheetQuestion } from "./schemas.ts";
import { showSheet } from "./show-sheet.ts";

/** Lines that are made at once, so that a long sheet holds up no other request. */
const BATCH_LINES = 1_000;

type Cells = (string | number | null)[];
type Columns<Row> = readonly [name: string, cell: (row: Row) => Cells[number]][];

// A file that was made last year is compared with one of today: a column keeps its name and place, and a new one is the last.
const playerColumns: Columns<SheetPlayer> = [
  ["rank", ({ rank }) => rank],
  ["player", ({ username }) => username],
  ["team", ({ team }) => team],
  ["won", ({ won }) => won],
  ["lost", ({ lost }) => lost],
  ["wagered", ({ wagered }) => wagered],
  ["returned", ({ returned }) => returned],
  ["net", ({ net }) => net],
];

const questionColumns: Columns<SheetQuestion> = [
  ["position", ({ position }) => position],
  ["question", ({ question }) => question],
  ["true_label", ({ trueLabel }) => trueLabel],
  ["false_label", ({ falseLabel }) => falseLabel],
  ["state", ({ state }) => state],
  ["result", ({ result }) => result],
  ["opened_at", ({ openedAt }) => openedAt],
  ["closed_at", ({ closedAt }) => closedAt],
  ["resolved_at", ({ resolvedAt }) => resolvedAt],
  ["callers", ({ callers }) => callers],
  ["true_pool", ({ truePool }) => truePool],
  ["false_pool", ({ falsePool }) => falsePool],
  ["pool", ({ pool }) => pool],
  ["paid", ({ paid }) => paid],
  ["right", ({ right }) => right],
  ["explanation", ({ explanation }) => explanation],
];

/**
 * One table of the results sheet as a CSV file.
 * @throws Refusal 404 for an unknown session.
 */
export async function downloadSheet(
  deps: Pick<Deps, "pool" | "env">,
  slugOrId: string,
  { table }: SheetQuery,
): Promise<Response> {
  const { session, players, questions } = await showSheet(deps, slugOrId);
  const lines =
    table === "players" ? writeLines(playerColumns, players) : writeLines(questionColumns, questions);
  return file(lines, {
    type: "text/csv; charset=utf-8; header=present",
    name: `${table}-${session.slug}.csv`,
  });
}

/**
 * Both tables of the results sheet as a workbook: each on a sheet of its own, with the columns of the CSV files.
 * @throws Refusal 404 for an unknown session.
 */
export async function downloadWorkbook(
  deps: Pick<Deps, "pool" | "env">,
  slugOrId: string,
): Promise<Response> {
  const { session, players, questions } = await showSheet(deps, slugOrId);
  const workbook = writeXlsx([
    { name: "Players", rows: rowsOf(playerColumns, players) },
    { name: "Questions", rows: rowsOf(questionColumns, questions) },
  ]);
  return file(workbook, { type: XLSX_TYPE, name: `results-${session.slug}.xlsx` });
}

function file(
  parts: AsyncGenerator<string | Uint8Array>,
  { type, name }: { type: string; name: string },
): Response {
  return new Response(streamParts(parts), {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="called-it-${name}"`,
      "cache-control": "private, no-store",
    },
  });
}

function* rowsOf<Row>(columns: Columns<Row>, rows: readonly Row[]): Generator<Cells> {
  yield columns.map(([name]) => name);
  for (const row of rows) yield columns.map(([, cell]) => cell(row));
}

async function* writeLines<Row>(columns: Columns<Row>, rows: readonly Row[]): AsyncGenerator<string> {
  yield csvHeader(columns.map(([name]) => name));
  for (let from = 0; from < rows.length; from += BATCH_LINES) {
    const batch = rows.slice(from, from + BATCH_LINES);
    yield batch.map((row) => csvLine(columns.map(([, cell]) => cell(row)))).join("");
  }
}
