import { writeFileSync } from "node:fs";
import path from "node:path";
import { requireProgram } from "#tests/engines/require-program.ts";

const RULES = path.resolve("deploy/observability/alerts.yml");
/** Longer than any rule waits. */
const SAMPLES = 240;
const EVERY_S = 15;

/** What a process has served at two moments; null where it did not answer. */
export type Scrapes = { instance: string; first: string | null; second: string | null; secondsApart: number };

/**
 * Whether an alert fires if what two scrapes of each process show goes on for an hour: gauges stay as they were seen last, and counters
 * and memory go on as fast as they went between the two.
 * @param folder for the file that promtool reads. @param alerts one of these.
 */
export async function alertFires(
  folder: string,
  scrapes: readonly Scrapes[],
  ...alerts: readonly string[]
): Promise<boolean> {
  const name = `${crypto.randomUUID()}.test.yml`;
  const expr = `count(ALERTS{alertstate="firing", alertname=~"${alerts.join("|")}"}) > bool 0`;
  writeFileSync(
    path.join(folder, name),
    `rule_files: [${RULES}]
evaluation_interval: ${EVERY_S}s
tests:
  - interval: ${EVERY_S}s
    input_series:
${scrapes.flatMap(seriesOf).join("\n")}
    promql_expr_test:
      - { expr: ${JSON.stringify(expr)}, eval_time: 55m, exp_samples: [{ labels: '{}', value: 1 }] }
`,
  );
  return (await promtool(folder, "test", "rules", name)) === "passed";
}

function seriesOf({ instance, first, second, secondsApart }: Scrapes): string[] {
  const labels = `job="called-it",instance="${instance}"`;
  const up = `      - { series: 'up{${labels}}', values: '${second === null ? 0 : 1}x${SAMPLES}' }`;
  const before = valuesIn(first ?? "");
  const now = [...valuesIn(second ?? "")].map(([name, value]) => {
    const step = /_(total|count|sum|bucket|resident_memory_bytes)(\{|$)/.test(name)
      ? ((value - (before.get(name) ?? value)) / secondsApart) * EVERY_S
      : 0;
    const [metric = "", inBraces = ""] = name.split(/[{}]/);
    const full = `${metric}{${inBraces === "" ? "" : `${inBraces},`}${labels}}`;
    return `      - { series: ${JSON.stringify(full)}, values: '${value}+${Math.max(0, step)}x${SAMPLES}' }`;
  });
  return [up, ...now];
}

/** promtool reads no NaN, which the mean of no measurement is. */
function valuesIn(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.flatMap((line) => {
      const [, name = "", value = ""] = /^(.*) (\S+)$/.exec(line) ?? [];
      return Number.isFinite(Number(value)) ? [[name, Number(value)] as const] : [];
    }),
  );
}

/** Runs promtool in a folder. @returns "passed", or what it says. */
export async function promtool(folder: string, ...args: string[]): Promise<string> {
  const child = Bun.spawn([requireProgram("promtool", "prometheus"), ...args], {
    cwd: folder,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, problems] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return (await child.exited) === 0 ? "passed" : `${out}${problems}`;
}
