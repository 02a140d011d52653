/** The result of a bench. The first row names the columns; the first column names what was measured. */
export type Table = { title: string; rows: readonly (readonly string[])[]; notes: readonly string[] };

/** The table as lines for a terminal. */
export function drawTable({ title, rows, notes }: Table): string {
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
  return ["", title, rule, lines[0] ?? "", rule, ...lines.slice(1), rule, ...notes].join("\n");
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
