import type { Queryable } from "#db/client.ts";
import { pick } from "#db/pick.ts";
import { csvHeader, csvLine } from "#src/base/csv.ts";
import { download } from "#src/http/download.ts";
import { site } from "#src/settings/contract.ts";
import { withoutLogo } from "#src/show/brands/change-brand.ts";
import { findBlueprintView } from "./find-blueprint-views.ts";
import { columnNames, planColumns, type PlanColumn } from "./plan-text/columns.ts";
import type { BlueprintEventView, BlueprintView } from "./schemas.ts";

/** What `csvLine` marks as a text, or what looks as if it had. One more apostrophe keeps both apart. */
const marked = /^'+(["\s]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/;

export async function exportBlueprintCsv(db: Queryable, blueprintId: number): Promise<Response> {
  const blueprint = await findBlueprintView(db, blueprintId);
  const header = csvHeader(planColumns.map((column) => columnNames[column]));
  const lines = blueprint.blueprintEvents.map((event) => csvLine(cellsOf(event)));
  return download([header, ...lines].join(""), `${fileNameOf(blueprint)}.csv`);
}

/** A blueprint as a JSON file that another installation imports: its name, its settings and its events, without ids. */
export async function exportBlueprintJson(db: Queryable, blueprintId: number): Promise<Response> {
  const blueprint = await findBlueprintView(db, blueprintId);
  const { name, description, blueprintEvents } = blueprint;
  const defaults = withoutLogo(blueprint.defaults);
  const plan = { name, description, defaults, blueprintEvents: blueprintEvents.map(termsOf) };
  return download(`${JSON.stringify(plan, null, 2)}\n`, `${fileNameOf(blueprint)}.json`);
}

function termsOf(event: BlueprintEventView): Record<PlanColumn, string | number | null> {
  const { key, alt } = event.picture ?? { key: null, alt: null };
  return pick({ ...event, picture: key, pictureAlt: alt }, ...planColumns);
}

function cellsOf(event: BlueprintEventView): (string | number | null)[] {
  const terms = { ...termsOf(event), startMode: event.startMode.replaceAll("_", " ") };
  return planColumns.map((column) => {
    const cell = terms[column];
    return typeof cell === "string" && marked.test(cell) ? `'${cell}` : cell;
  });
}

/** "called-it-derby-night-12": what of the name every file system takes. */
function fileNameOf({ id, name }: BlueprintView): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return [site().slug, plain, id].filter((part) => part !== "").join("-");
}
