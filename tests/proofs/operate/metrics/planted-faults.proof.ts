import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { sql } from "drizzle-orm";
import { bookChecks } from "#db/schema/books.ts";
import { checkBooks } from "#src/books/check-books.ts";
import { createServer } from "#src/server.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildCall, buildEvent, buildPlayer } from "#tests/support/build.ts";
import { runClock } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { promtool } from "./promtool.ts";

const METRICS_TOKEN = "a token that only tests of alerts use";
const RULES = path.resolve("deploy/observability/alerts.yml");
const PLANTED = ["BooksDiffer", "BooksUnchecked", "QueueStuck", "TimerLate"];

const deps = await testDeps({ METRICS_TOKEN }, { checkBooks: false });
const server = createServer(deps);
const { dataDir: folder, remove } = makeDataFolder();
afterFile(remove);

/** What Prometheus reads of the process, each line as a series that stays as it is. */
async function scrape(): Promise<string[]> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const answer = await server.handle(new Request("http://localhost:3000/metrics", { headers }));
  const lines = (await answer.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.flatMap((line) => {
    const [, series = "", value = ""] = /^(.*) (\S+)$/.exec(line) ?? [];
    // promtool reads no NaN, which the mean of no measurement is.
    return Number.isNaN(Number(value))
      ? []
      : [`      - { series: ${JSON.stringify(series)}, values: '${value}x60' }`];
  });
}

/** Whether these of the planted alerts fire, and no other of them, after ten minutes with these samples. */
async function fires(samples: readonly string[], alerts: readonly string[]): Promise<string> {
  const firing = `max by (alertname) (ALERTS{alertstate="firing", alertname=~"${PLANTED.join("|")}"})`;
  const expected = alerts.map((name) => `{ labels: '{alertname="${name}"}', value: 1 }`);
  const file = `rule_files: [${RULES}]
evaluation_interval: 15s
tests:
  - interval: 15s
    input_series:
${samples.join("\n")}
    promql_expr_test:
      - { expr: ${JSON.stringify(firing)}, eval_time: 10m, exp_samples: [${expected.join(", ")}] }
`;
  writeFileSync(path.join(folder, "planted.test.yml"), file);
  return promtool(folder, "test", "rules", "planted.test.yml");
}

test("a stuck queue, a late timer, and books that differ or are not checked are in the metrics, and their alerts fire on these samples", async () => {
  const event = await buildEvent(deps, "open");
  await buildCall(deps, { userId: (await buildPlayer(deps)).id, eventId: event.id });
  await checkBooks(deps, null);
  expect(await fires(await scrape(), [])).toBe("passed");

  // No worker runs here, and no sweep.
  await deps.queues.byName.pictures.add("make_avatar", { userId: "nobody" });
  await runClock(deps.pool, { aheadMs: 3_600_000 });
  await deps.pool.db.transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(sql`UPDATE spots SET pool_cents = pool_cents + 5 WHERE event_id = ${event.id}`);
  });
  await checkBooks(deps, null);
  // As after an hour without a worker.
  await deps.pool.db.update(bookChecks).set({ checkedAt: sql`clock_timestamp() - interval '1 hour'` });
  // The metrics keep the state of the product for a second.
  const planted = await waitFor("the alerts of what was planted", async () => {
    const samples = await scrape();
    return (await fires(samples, PLANTED)) === "passed" && samples;
  });
  expect(await fires(planted, [])).toContain("FAILED");
});
