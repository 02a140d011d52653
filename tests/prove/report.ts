import { existsSync, readFileSync } from "node:fs";

/** The last result of a proof. */
export type Result = {
  name: string;
  date: string;
  commit: string;
  passed: number;
  failed: number;
  minutes: number;
  figures: readonly string[];
};

/** A proof as PROOF.md shows it: its row of the table, and its figures below. */
export type Entry = { row: string; figures: readonly string[] };

/** The proofs in a report, by name; one that has never run is not there. */
export function readEntries(file: string): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  let under: string | undefined;
  for (const line of existsSync(file) ? readFileSync(file, "utf8").split("\n") : []) {
    const row = /^\| `([^`]+)` \|/.exec(line)?.[1];
    if (row !== undefined) entries.set(row, { row: line, figures: [] });
    under = /^### `([^`]+)`$/.exec(line)?.[1] ?? under;
    const entry = entries.get(under ?? "");
    if (under !== undefined && entry !== undefined && line.startsWith("- "))
      entries.set(under, { ...entry, figures: [...entry.figures, line.slice("- ".length)] });
  }
  return entries;
}

/** A result as the report shows it. */
export function entryOf({ name, date, commit, passed, failed, minutes, figures }: Result): Entry {
  const result = failed === 0 && passed > 0 ? "passed" : "FAILED";
  const cells = [`\`${name}\``, result, passed, failed, minutes.toFixed(1), date, `\`${commit}\``];
  return { row: `| ${cells.join(" | ")} |`, figures };
}

/** The whole report. A proof that is not among the entries is named as not run. */
export function reportOf(names: readonly string[], entries: ReadonlyMap<string, Entry>): string {
  const never = names.filter((name) => !entries.has(name)).map((name) => `\`${name}\``);
  const rows = names.flatMap((name) => entries.get(name)?.row ?? []);
  const figures = names.flatMap((name) => {
    const own = entries.get(name)?.figures ?? [];
    return own.length === 0 ? [] : [`### \`${name}\`\n\n${own.map((text) => `- ${text}`).join("\n")}\n`];
  });
  return `# Proof

Written by \`bun run prove\`: what is about operation and scale, and takes too long for each day. Each row is the last result of its
file: \`tests/<name>.proof.ts\`, or \`tests/<name>.spec.ts\` with journeys that are tagged as proofs. A run with names replaces only
their rows. A commit with \`+\` had changes that were not committed.

| proof | result | passed | failed | minutes | date | commit |
| --- | --- | ---: | ---: | ---: | --- | --- |
${rows.join("\n")}

Not run yet: ${never.length === 0 ? "none" : never.join(", ")}.

## Figures

${figures.join("\n")}`;
}
