import { type Goal, isMet } from "./goal.ts";

/** The result of a bench. The first row names the columns; the first column names what was measured. */
export type Table = {
  title: string;
  rows: readonly (readonly string[])[];
  goals?: readonly Goal[];
  notes: readonly string[];
};

/** The table as lines for a terminal. */
export function drawTable({ title, rows, goals = [], notes }: Table): string {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, index) =>
    Math.max(...rows.map((row) => row[index]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, index) =>
        index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
      )
      .join("  "),
  );
  const rule = "-".repeat(lines[0]?.length ?? 0);
  return [
    "",
    title,
    rule,
    lines[0] ?? "",
    rule,
    ...lines.slice(1),
    rule,
    ...goals.map(drawGoal),
    ...notes,
  ].join("\n");
}

function drawGoal(goal: Goal): string {
  const { what, measured, unit } = goal;
  return `${isMet(goal) ? "met    " : "not met"} ${what}: ${showFigure(measured, unit)} (${showLimit(goal)})`;
}

/** `0.57 x`, `12 ms` */
export function showFigure(figure: number, unit: Goal["unit"]): string {
  return `${unit === "x" ? figure.toFixed(2) : show(figure)} ${unit}`.trim();
}

/** `at most 12 ms` */
export function showLimit({ bound, limit, unit }: Goal): string {
  return `${bound} ${showFigure(limit, unit)}`;
}

/** Formats a number with about three significant digits: `1,234` or `0.85`. */
export function show(number: number): string {
  const digits = Math.abs(number) >= 100 ? 0 : 2;
  return number.toLocaleString("en-US", { maximumFractionDigits: digits });
}

/** `1.20 x` */
export function showRatio(number: number): string {
  return `${number.toFixed(2)} x`;
}
