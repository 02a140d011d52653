import { existsSync, readFileSync } from "node:fs";

/** The last result of a proof. */
export type Result = {
  name: string;
  date: string;
  /** The commit that was checked out, with `+` if something was changed and not committed. */
  commit: string;
  passed: number;
  failed: number;
  minutes: number;
  figures: readonly string[];
};

/** Why a result says nothing about this checkout; null if it does. */
export type FindVoid = (name: string, commit: string) => string | null;

/** The results in a report, by name; a proof that has never run is not there. */
export function readResults(file: string): Map<string, Result> {
  const results = new Map<string, Result>();
  let under: string | undefined;
  for (const line of existsSync(file) ? readFileSync(file, "utf8").split("\n") : []) {
    const read = readRow(line);
    if (read !== null) results.set(read.name, read);
    under = /^### `([^`]+)`$/.exec(line)?.[1] ?? under;
    const result = results.get(under ?? "");
    if (result !== undefined && line.startsWith("- "))
      results.set(result.name, { ...result, figures: [...result.figures, line.slice("- ".length)] });
  }
  return results;
}

/** The result in a line that rowOf has written, without figures; null in another line. */
function readRow(line: string): Result | null {
  const cells = /^\| `([^`]+)` \| [^|]* \| (\d+) \| (\d+) \| ([\d.]+) \| ([\d-]+) \| `([^`]+)` \|/.exec(line);
  if (cells === null) return null;
  const [, name = "", passed, failed, minutes, date = "", commit = ""] = cells;
  const numbers = { passed: Number(passed), failed: Number(failed), minutes: Number(minutes) };
  return { name, date, commit, ...numbers, figures: [] };
}

export function rowOf(result: Result, findVoid: FindVoid): string {
  const { name, date, commit, passed, failed, minutes } = result;
  const reason = findVoid(name, commit);
  const state = failed === 0 && passed > 0 ? "passed" : "FAILED";
  const cells = [
    `\`${name}\``,
    reason === null ? state : `void, was ${state}: ${reason}`,
    passed,
    failed,
    minutes.toFixed(1),
    date,
    `\`${commit}\``,
  ];
  return `| ${cells.join(" | ")} |`;
}

/** The whole report, in the order of the names. A proof without a result is named as not run. */
export function reportOf(
  names: readonly string[],
  results: ReadonlyMap<string, Result>,
  findVoid: FindVoid,
): string {
  const never = names.filter((name) => !results.has(name)).map((name) => `\`${name}\``);
  const known = names.flatMap((name) => results.get(name) ?? []);
  const figures = known.flatMap(({ name, figures: own }) =>
    own.length === 0 ? [] : [`### \`${name}\`\n\n${own.map((text) => `- ${text}`).join("\n")}\n`],
  );
  return `# Proof

Written by \`bun run prove\`: what is about operation and scale, and takes too long for each day. Each row is the last result of its
file: \`tests/proofs/<name>.proof.ts\`, or \`tests/<name>.spec.ts\` with journeys that are tagged as proofs. A run with names replaces only
their rows. A row is void if its commit is not in the history of what is checked out, had changes that were not committed (\`+\`), or if
a file has changed since that the proof's own code in \`tests\` consists of or imports. \`bun run prove --table\` says so again without
a run.

| proof | result | passed | failed | minutes | date | commit |
| --- | --- | ---: | ---: | ---: | --- | --- |
${known.map((result) => rowOf(result, findVoid)).join("\n")}

Not run yet: ${never.length === 0 ? "none" : never.join(", ")}.

## Figures

${figures.join("\n")}`;
}
