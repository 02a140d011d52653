import { expect, test } from "bun:test";
import { SQL } from "bun";
import { connectionOptions } from "#db/connection-options.ts";
import { findSilentProcesses } from "#db/idle-transactions.ts";
import type { Part } from "#src/operate/checks/contract.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { untilPasses } from "#tests/support/wait-for.ts";
import { runCheck } from "./run-check.ts";

const deps = await testDeps();

/** A connection of another process. */
function connectAs(name: string): SQL {
  const [options] = connectionOptions(deps.env.databaseUrl);
  const connection = { application_name: `called-it ${crypto.randomUUID().slice(0, 8)} ${name}` };
  const sql = new SQL({ ...options, connection, max: 1 });
  afterFile(() => sql.close({ timeout: 0 }));
  return sql;
}
const names = async () => (await findSilentProcesses(deps.pool.db)).map(({ process }) => process);

test("a process that is connected and says nothing is named with its cure, once, and forgotten when it speaks or ends", async () => {
  const [worker, relay, ended] = [
    connectAs("worker 71 host-a"),
    connectAs("relay 71 host-a"),
    connectAs("web-2 72 host-b"),
  ];
  // A command may have nothing to ask; and a server that works on a statement owes the answer.
  const [command, busy] = [connectAs("doctor 73 host-a"), connectAs("web-1 74 host-a")];
  await Promise.all([worker, relay, ended, command].map((each) => each`SELECT 1`));
  const working = busy`SELECT pg_sleep(600)`.execute().catch(() => undefined);
  const both = ["web-2 (process 72 on host-b)", "worker (process 71 on host-a)"];
  // A relay is named by itself for as long as its worker, which spoke a moment later, is not silent yet.
  await untilPasses(async () => expect((await names()).toSorted()).toEqual(both));
  const part = await runCheck(deps, "processes");
  expect(part).toMatchObject({ state: "silent", what: "processes silent" });
  expect(part.said).toMatch(/worker \(process 71 on host-a\) has said nothing for \d+ s\./);
  expect(part.cure).toContain("kill -CONT");

  // Who speaks is silent again after seconds, so it speaks before each look.
  const namedWhile = (speaking: readonly SQL[], expected: readonly string[]) =>
    untilPasses(async () => {
      await Promise.all(speaking.map((each) => each`SELECT 1`));
      expect(await names()).toEqual([...expected]);
    });
  await ended.close();
  await namedWhile([worker], ["relay (process 71 on host-a)"]);
  await namedWhile([worker, relay], []);
  await deps.pool.sql`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE '%web-1 74%'`;
  await working;
});

const pooled = { ...deps, env: { ...deps.env, databaseUrl: `${deps.env.databaseUrl}&pgbouncer=true` } };

test("a worker that is connected and takes no jobs here is named: it uses another Redis, and none is called missing", async () => {
  const isMissing = async (of = deps) =>
    expect(await runCheck(of, "worker")).toMatchObject({ state: "missing" });
  await untilPasses(isMissing);
  const worker = connectAs("worker 81 host-c");
  const look = async (part: Part) => {
    await worker`SELECT 1`;
    return runCheck(deps, part);
  };
  // One that has just started may be about to take jobs.
  await untilPasses(async () => expect((await look("worker")).state).toBe("unknown"));
  expect(await look("jobs")).toMatchObject({ state: "ok" });
  const cure = expect.stringContaining("Compare REDIS_URL");
  const said = "worker (process 81 on host-c) takes no jobs from the Redis of this process.";
  await untilPasses(async () => expect(await look("jobs")).toMatchObject({ state: "elsewhere", said, cure }));
  await isMissing(pooled);
  await worker.close();
  // Its connection may end a moment later.
  await untilPasses(isMissing);
});

test("behind a PgBouncer, where connections have the names of others, nothing is said", async () => {
  expect(await runCheck(pooled, "processes")).toMatchObject({ state: "unknown", severity: null });
});
