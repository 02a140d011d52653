import { existsSync, readFileSync } from "node:fs";

/** The last result of a proof, as PROOF.md shows it. */
export type Result = {
  name: string;
  date: string;
  commit: string;
  passed: number;
  failed: number;
  minutes: number;
  figures: readonly string[];
};

/** The rows of the report by name; a proof that has never run has none. */
export function readRows(file: string): Map<string, string> {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return new Map(
    lines.flatMap((line) => {
      const name = /^\| `([^`]+)` \|/.exec(line)?.[1];
      return name === undefined ? [] : [[name, line] as const];
    }),
  );
}

/** The row of a result. */
export function rowOf({ name, date, commit, passed, failed, minutes, figures }: Result): string {
  const result = failed === 0 && passed > 0 ? "passed" : "FAILED";
  const cells = [`\`${name}\``, result, passed, failed, minutes.toFixed(1), date, `\`${commit}\``];
  return `| ${[...cells, figures.join("; ").replaceAll("|", "/")].join(" | ")} |`;
}

/** The whole report. A proof without a row is named as not run. */
export function reportOf(names: readonly string[], rows: ReadonlyMap<string, string>): string {
  const never = names.filter((name) => !rows.has(name)).map((name) => `\`${name}\``);
  const known = names.flatMap((name) => rows.get(name) ?? []);
  return `# Proof

Written by \`bun run prove\`: what is about operation and scale, and takes too long for each day. Each row is the last result of its
file: \`tests/<name>.proof.ts\`, or \`tests/<name>.spec.ts\` with journeys that are tagged as proofs. A run with names replaces only
their rows. A commit with \`+\` had changes that were not committed.

| proof | result | passed | failed | minutes | date | commit | figures |
| --- | --- | ---: | ---: | ---: | --- | --- | --- |
${known.join("\n")}

Not run yet: ${never.length === 0 ? "none" : never.join(", ")}.
`;
}
