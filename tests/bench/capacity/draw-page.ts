import { readFileSync } from "node:fs";
import path from "node:path";
import { show, type Table } from "../table.ts";
import type { Assumptions } from "./assumptions.ts";
import { drawLimits, drawLines } from "./draw-charts.ts";
import { type Plan, playersUntil } from "./model.ts";
import type { Stored } from "./stored.ts";
import {
  assumptionsTable,
  checkedTable,
  coresTable,
  limitsTable,
  plansTable,
  showBytes,
  unitsTable,
} from "./tables.ts";
import { parts, type Part } from "./units.ts";

const TOKENS = path.join(import.meta.dir, "../../../client/styles/tokens.css");
const STYLES = path.join(import.meta.dir, "page.css");
const NAMES: Record<Part, string> = {
  web: "web",
  relay: "relay",
  postgres: "Postgres",
  redis: "Redis",
  worker: "worker",
};
const MARK = `<svg class="logo" aria-hidden="true" viewBox="0 0 24 24"><path d="M12 2A10 10 0 0 0 12 22L22 12Z"/></svg>`;

/** All of it as one HTML file, which loads nothing. Beside each drawing is the table with its figures. */
export function drawPage({ units, checked }: Stored, plans: readonly Plan[], assumed: Assumptions): string {
  const players = plans.map((plan) => plan.players);
  const limits = (plans.at(-1)?.limits ?? [])
    .map(({ name }) => ({ name, players: playersUntil(name, units, assumed) }))
    .toSorted((a, b) => a.players - b.players);
  const cores = drawLines({
    title: "Cores that are busy at the peak, by part, against the number of players",
    unit: "cores",
    players,
    series: parts.map((part) => ({
      name: NAMES[part],
      values: plans.map(({ load }) => Math.max(load.cores[part], 1e-4)),
    })),
    mark: { value: 1, text: "one core: all that Redis and the relay have" },
    show: (value) => show(value).replace(/^0$/, String(value)),
  });
  const storage = drawLines({
    title: "Bytes stored in a month against the number of players",
    unit: "a month",
    players,
    series: [
      { name: "tables", values: plans.map(({ monthly }) => monthly.tableBytes) },
      { name: "log (WAL)", values: plans.map(({ monthly }) => monthly.walBytes) },
    ],
    show: showBytes,
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Capacity - Called It</title>
<style>${readFileSync(TOKENS, "utf8")}${readFileSync(STYLES, "utf8")}</style>
<header>${MARK}<span>Called It</span></header>
<main>
<h1>How many players, on what</h1>
<p class="lead">Unit costs measured on ${units.machine}, commit ${units.commit}, ${units.measuredOn}. The model multiplies them by what players do at the peak.</p>
${section(limitsTable(plans, units, assumed), drawLimits("The number of players at which each limit is reached", limits))}
${section(coresTable(plans), cores)}
${section(plansTable(plans), storage)}
${checked.length === 0 ? "" : section(checkedTable(checked))}
${section(assumptionsTable(assumed))}
${section(unitsTable(units))}
</main>
</html>
`;
}

function section({ title, rows: [head = [], ...rows], notes }: Table, drawing = ""): string {
  const isText = (index: number) => rows.some((row) => /^[^-\d]/.test(row[index] ?? ""));
  const kind = (index: number) => (isText(index) ? ' class="text"' : "");
  const cells = (row: readonly string[]) =>
    row
      .map((cell, index) => (index === 0 ? `<th scope="row">${cell}</th>` : `<td${kind(index)}>${cell}</td>`))
      .join("");
  return `<section>
<h2>${title}</h2>
${drawing === "" ? "" : `<figure>${drawing}</figure>`}
<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table>
<thead><tr>${head.map((cell, index) => `<th scope="col"${kind(index)}>${cell}</th>`).join("")}</tr></thead>
<tbody>${rows.map((row) => `<tr>${cells(row)}</tr>`).join("\n")}</tbody>
</table></div>
${notes.map((note) => `<p class="small">${note}</p>`).join("")}
</section>`;
}
