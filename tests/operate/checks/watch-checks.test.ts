import { expect, test } from "bun:test";
import { SQL } from "bun";
import type { Logger } from "pino";
import { connectionOptions } from "#db/connection-options.ts";
import { findSilentProcesses } from "#db/idle-transactions.ts";
import { createLog } from "#src/base/log.ts";
import { unreachableRedis } from "#src/base/redis.ts";
import { adminChecks } from "#src/operate/checks/checks.ts";
import type { Part } from "#src/operate/checks/contract.ts";
import { foldTroubles } from "#src/operate/checks/fold-troubles.ts";
import { listPastTroubles, listTroubles } from "#src/operate/checks/noted-checks.ts";
import { takeTurn, TURN_KEY, Watch } from "#src/operate/checks/watch-checks.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { runCheck, seen } from "./run-check.ts";

const { deps } = await testWorld();
const { pool } = deps;

/** A process with its log. */
function startProcess(name: string) {
  const lines: string[] = [];
  const log: Logger = createLog({ production: false, logLevel: "info" }, name, (line) => lines.push(line));
  return { watch: new Watch({ pool, log }), log, lines };
}

const openParts = async () =>
  (await listTroubles(pool.db)).map(({ part, process }) => [part, process.split(" ")[0]]);

test("what is wrong at two looks is one row and one line, however many processes see it, and so is its end", async () => {
  const [one, other] = [startProcess("web-1"), startProcess("worker")];
  await one.watch.take(seen({ mails: "waiting" }));
  expect(await openParts()).toEqual([]);
  for (let looks = 0; looks < 3; looks += 1)
    for (const { watch } of [one, other]) await watch.take(seen({ mails: "waiting" }));
  expect(await openParts()).toEqual([["mails", ""]]);
  const lines = () => [...one.lines, ...other.lines];
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).toContain(
    "mails waiting. Mails were not sent. Look at the mail server and at SMTP_URL.",
  );
  for (const { watch } of [one, other]) await watch.take(seen({}));
  expect(await openParts()).toEqual([]);
  expect(lines()).toHaveLength(2);
  expect(lines().some((line) => line.includes("mails can be used again"))).toBe(true);
  expect((await listPastTroubles(pool.db, 1))[0]).toMatchObject({ part: "mails", what: "mails waiting" });
});

test("a worker without a mail server says so before a mail waits, in production, and no process that sends none", async () => {
  const without = { ...deps, env: { ...deps.env, production: true, smtpUrl: null } };
  const worker = { ...without, sendsMails: true } as const;
  expect(await runCheck(worker, "smtp")).toMatchObject({ severity: "degraded", what: "smtp unset" });
  expect((await runCheck(worker, "mails")).state).toBe("ok");
  const set = { ...worker, env: { ...worker.env, smtpUrl: "smtp://127.0.0.1" } };
  for (const well of [without, set, { ...deps, sendsMails: true } as const])
    expect((await runCheck(well, "smtp")).state).toBe("ok");
});

test("what is about one process is a row of its own, and a part of which nothing is known stays as it was", async () => {
  const [one, other] = [startProcess("web-1"), startProcess("web-2")];
  for (let looks = 0; looks < 2; looks += 1) {
    await one.watch.take(seen({ broadcasts: "deaf" }));
    await other.watch.take(seen({}));
  }
  expect(await openParts()).toEqual([["broadcasts", "web-1"]]);
  await one.watch.take(seen({ broadcasts: "unknown" }));
  expect(await openParts()).toEqual([["broadcasts", "web-1"]]);
  expect(other.lines).toEqual([]);
  await one.watch.take(seen({}));
  expect(one.lines).toHaveLength(2);
});

test("what follows from something else is no error of the log, and stands beneath it", async () => {
  const [one, other] = [startProcess("web-1"), startProcess("worker")];
  for (let looks = 0; looks < 2; looks += 1)
    for (const { watch } of [one, other])
      await watch.take(seen({ redis: "away", broadcasts: "stuck", feed: "behind" }));
  const lines = [...one.lines, ...other.lines];
  const errors = lines.filter((line) => line.includes(" ERROR "));
  expect(errors).toEqual(Array(2).fill(expect.stringContaining("redis away. ")));
  for (const what of ["broadcasts stuck", "feed behind"])
    expect(lines.some((line) => line.includes(`${what}, which follows from redis away`))).toBe(true);
  const [fault, ...more] = foldTroubles(await listTroubles(pool.db), new Date());
  expect(fault?.process).toMatch(/^web-1 \(process .*\), worker \(process .*\)$/);
  expect(fault?.follows.map(({ what }) => what).toSorted()).toEqual(["broadcasts stuck", "feed behind"]);
  expect(more).toEqual([]);
  for (const { watch } of [one, other]) await watch.take(seen({}));
});

test("each watched part says what it follows from, and nothing follows from itself", () => {
  const followed = new Map(adminChecks.map(({ part, follows }) => [String(part), follows]));
  const causesOf = (part: string): string[] =>
    followed.get(part)?.flatMap((cause) => [cause, ...causesOf(cause)]) ?? [];
  for (const [part, follows] of followed) {
    expect([part, follows]).toEqual([part, expect.any(Array)]);
    expect(causesOf(part)).not.toContain(part);
  }
});

test("what began before a cause, lasts longer, or is another process' own, does not follow from it", () => {
  const now = new Date();
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
  const trouble = (what: string, since: Date, more: { process?: string; endedAt?: Date } = {}) => {
    const [part = ""] = what.split(" ");
    return { part, process: "", what, detail: null, cure: "", since, ...more };
  };
  const folded = (...all: ReturnType<typeof trouble>[]) =>
    foldTroubles(all, now).map(({ what, follows }) => [what, ...follows.map((each) => each.what)]);
  const atOnce = ["database away", "broadcasts stuck", "feed behind"].map((what) => trouble(what, ago(9)));
  expect(folded(...atOnce)).toEqual([["database away", "broadcasts stuck", "feed behind"]]);
  const worker = trouble("worker missing", ago(60));
  expect(folded(worker, trouble("mails waiting", ago(65)))).toEqual([["worker missing", "mails waiting"]]);
  expect(folded(worker, trouble("mails waiting", ago(90)))).toEqual([["worker missing"], ["mails waiting"]]);
  const over = (seconds: number) => trouble("worker missing", ago(60), { endedAt: ago(seconds) });
  expect(folded(over(5), trouble("mails waiting", ago(50)))).toEqual([["worker missing", "mails waiting"]]);
  expect(folded(over(15), trouble("mails waiting", ago(50)))).toEqual([
    ["worker missing"],
    ["mails waiting"],
  ]);
  const [here, there] = [{ process: "web-1 (process 1 on a)" }, { process: "web-2 (process 2 on a)" }];
  expect(folded(trouble("redis away", ago(9), here), trouble("broadcasts deaf", ago(9), there))).toEqual([
    ["redis away"],
    ["broadcasts deaf"],
  ]);
  const endedHere = trouble("redis away", ago(9), { ...here, endedAt: ago(2) });
  expect(foldTroubles([endedHere, trouble("redis away", ago(8), there)], now)).toMatchObject([
    { process: there.process, endedAt: null },
  ]);
  // Two of one evening are two.
  expect(folded(over(30), trouble("worker missing", ago(5)))).toHaveLength(2);
});

test("a process that starts says of nothing that it is wrong before that has worked once, or the start has had its time", async () => {
  const { log, lines } = startProcess("web-1");
  const wrong = seen({ database: "away", redis: "away", worker: "missing" });
  const starting = new Watch({ pool, log }, 60_000);
  for (let looks = 0; looks < 3; looks += 1) await starting.take(wrong);
  expect([lines, await openParts()]).toEqual([[], []]);
  await starting.take(seen({}));
  for (let looks = 0; looks < 2; looks += 1) await starting.take(seen({ worker: "missing" }));
  expect(await openParts()).toEqual([["worker", ""]]);
  await starting.take(seen({}));
  const started = new Watch({ pool, log }, 0);
  for (let looks = 0; looks < 2; looks += 1) await started.take(seen({ worker: "missing" }));
  expect(await openParts()).toEqual([["worker", ""]]);
  await started.take(seen({}));
});

test("one process looks at what costs statements, another one once that has ended, and each where Redis cannot say", async () => {
  const { redis: shared } = deps;
  // A look whose Redis is slow to answer is true as well, so who has the turn is read.
  for (const [one, other] of [
    ["web-1", "worker"],
    ["worker", "web-1"],
  ] as const) {
    await waitFor(`the turn of ${one}`, async () => {
      await takeTurn(deps, one);
      return (await shared.get(TURN_KEY)) === one;
    });
    // It ends by itself, unless it is kept; here the machine may be slow.
    expect(await shared.pttl(TURN_KEY)).not.toBe(-1);
    await shared.set(TURN_KEY, one);
    await waitFor(`${other} to leave it to ${one}`, async () => !(await takeTurn(deps, other)));
    await shared.del(TURN_KEY);
  }
  const redis = unreachableRedis();
  for (const name of ["web-1", "worker"]) expect(await takeTurn({ redis }, name)).toBe(true);
});

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
