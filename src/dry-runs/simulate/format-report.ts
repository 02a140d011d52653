import type { Report } from "../schemas.ts";

/** The report as JSON, with one line for each member of a list, so that two reports can be compared line by line. */
export function formatReport(report: Report): string {
  const parts = Object.entries(report).map(([key, value]) => `${JSON.stringify(key)}: ${formatPart(value)}`);
  return `{\n${parts.join(",\n")}\n}\n`;
}

function formatPart(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return JSON.stringify(value);
  return `[\n${value.map((member) => JSON.stringify(member)).join(",\n")}\n]`;
}
