import { expect, test } from "bun:test";
import { SQL } from "bun";
import { sql } from "drizzle-orm";
import { connectionOptions } from "#db/connection-options.ts";
import { createServer } from "#src/server.ts";
import { afterFile, afterTest, fileBounds } from "./after-file.ts";
import { testDeps } from "./deps.ts";
import { holdTable } from "./hold-table.ts";

// Run by after-file.test.ts: a test that fails in the middle, with everything open that a test may have open.
Object.assign(fileBounds, { withinMs: 2_000, laterWithinMs: 200 });
const deps = await testDeps();
afterFile(() => process.stdout.write("the first clean-up ran\n"));
afterTest(() => process.stdout.write("the clean-up of a test ran\n"));

test("a test that fails", async () => {
  const app = createServer(deps);
  app.listen({ hostname: "127.0.0.1", port: 0 });
  afterFile(async () => void (await app.stop(true)));

  const [options] = connectionOptions(deps.env.databaseUrl);
  const connection = new SQL({ ...options, max: 1 });
  void connection`SELECT pg_sleep(600)`.catch(() => undefined);
  afterFile(() => connection.close());

  // It ends by itself after this process only.
  const script = "trap '' TERM; while kill -0 $PPID; do sleep 1; done";
  const child = Bun.spawn(["/bin/sh", "-c", script], { stdio: ["ignore", "ignore", "ignore"] });
  afterFile(async () => {
    child.kill();
    await child.exited;
  });
  // The books cannot be read while it is held, and nothing releases it.
  await holdTable(deps.env.databaseUrl, "accounts");
  void deps.pool.db.execute(sql`SELECT FROM accounts`).catch(() => undefined);

  process.stdout.write("fails now\n");
  expect(1).toBe(2);
});

test("the next one", () => {
  process.stdout.write("the next test ran\n");
});
