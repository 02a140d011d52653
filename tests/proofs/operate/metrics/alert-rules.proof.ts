import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { bookChecks } from "#db/schema/books.ts";
import { checkBooks } from "#src/books/check-books.ts";
import { createServer } from "#src/server.ts";
import { makeFileFolder } from "#tests/support/after-file.ts";
import { buildCall, buildEvent, buildPlayer } from "#tests/support/build.ts";
import { runClock } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { alertFires, promtool } from "./firing-alerts.ts";

const FOLDER = "deploy/observability";
const METRICS_TOKEN = "a token that only tests of alerts use";
const PLANTED = ["BooksDiffer", "BooksUnchecked", "QueueStuck", "TimerLate"];

test("Prometheus accepts the rules, and each alert fires and is silent as its test says", async () => {
  expect(await promtool(FOLDER, "check", "rules", "alerts.yml")).toBe("passed");
  expect(await promtool(FOLDER, "check", "config", "--syntax-only", "prometheus.yml")).toBe("passed");
  expect(await promtool(FOLDER, "test", "rules", "alerts.test.yml")).toBe("passed");
});

test("a stuck queue, a late timer, and books that differ or are not checked are in the metrics, and their alerts fire", async () => {
  const deps = await testDeps({ METRICS_TOKEN }, { checkBooks: false });
  const server = createServer(deps);
  const folder = makeFileFolder();
  /** Whether one of these fires if all stays as the process serves it now. */
  const fires = async (...alerts: readonly string[]) => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const answer = await server.handle(new Request("http://localhost:3000/metrics", { headers }));
    const served = await answer.text();
    const scrapes = { instance: "web-1", first: served, second: served, secondsApart: 1 };
    return alertFires(folder, [scrapes], ...alerts);
  };
  const event = await buildEvent(deps, "open");
  await buildCall(deps, { userId: (await buildPlayer(deps)).id, eventId: event.id });
  await checkBooks(deps, null);
  expect(await fires(...PLANTED)).toBe(false);

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
  for (const alert of PLANTED) await waitFor(alert, () => fires(alert));
});
