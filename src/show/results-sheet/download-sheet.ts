import { csvHeader, csvLine } from "#src/base/csv.ts";
import type { Deps } from "#src/base/deps.ts";
import { streamText } from "#src/http/stream-text.ts";
import type { SheetPlayer, SheetQuery, SheetQuestion } from "./schemas.ts";
import { showSheet } from "./show-sheet.ts";

/** Lines that are made at once, so that a long sheet holds up no other request. */
const BATCH_LINES = 1_000;

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
  return new Response(streamText(lines), {
    headers: {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="called-it-${table}-${session.slug}.csv"`,
      "cache-control": "private, no-store",
    },
  });
}

type Columns<Row> = readonly [name: string, cell: (row: Row) => string | number | null][];

async function* writeLines<Row>(columns: Columns<Row>, rows: readonly Row[]): AsyncGenerator<string> {
  yield csvHeader(columns.map(([name]) => name));
  for (let from = 0; from < rows.length; from += BATCH_LINES) {
    const batch = rows.slice(from, from + BATCH_LINES);
    yield batch.map((row) => csvLine(columns.map(([, cell]) => cell(row)))).join("");
  }
}

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
];
