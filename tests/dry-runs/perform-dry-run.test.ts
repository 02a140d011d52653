import { beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { listDatabases } from "#db/create-database.ts";
import { dryRuns } from "#db/schema/dry-runs.ts";
import type { Deps } from "#src/base/deps.ts";
import { findDryRun } from "#src/dry-runs/find-dry-runs.ts";
import {
  databasePrefix,
  performDryRun,
  pruneDryRuns,
  resumeDryRuns,
} from "#src/dry-runs/simulate/perform-dry-run.ts";
import { cancelDryRun, startDryRun } from "#src/dry-runs/start-dry-run.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";
import { optionsOf } from "./plan.ts";

const { deps, db, build, refused, set, read } = await testWorld();
let blueprintId = 0;
beforeAll(async () => {
  await build.runningSession();
  const questions = Array.from({ length: 4 }, () => ({ durationSeconds: 20, offsetSeconds: 5 }));
  blueprintId = (await build.blueprint(questions)).id;
});

const start = async (options = optionsOf()) =>
  startDryRun(deps, { actor: await build.admin(), blueprintId, options });
const shown = async (id: number) => (await findDryRun(db, id)).dryRun;
const { databaseUrl } = deps.env;
const ownDatabases = () => listDatabases(databaseUrl, databasePrefix(databaseUrl));
/** Everything of the product that a dry run must not touch: its rows and its Redis. */
async function digestProduct(): Promise<string> {
  const tables = await read.digest();
  const others = tables.split("\n").filter((line) => !line.startsWith("dry_runs "));
  return [...others, ...(await deps.redis.keys("*")).toSorted()].join("\n");
}

test("a dry run reports, touches nothing of the product, leaves no database, and gives the same after its worker has stopped", async () => {
  const id = await start();
  expect(await shown(id)).toMatchObject({ state: "waiting", eventsDone: 0, eventsCount: 4, report: null });
  const before = await digestProduct();
  expect(await performDryRun(deps, id)).toBe("ended");
  expect(await digestProduct()).toBe(before);
  expect(await ownDatabases()).toEqual([]);
  const done = await shown(id);
  expect(done).toMatchObject({ state: "done", eventsDone: 4, failure: null, stuck: false });
  expect(done.report?.invariants.every(({ holds }) => holds)).toBe(true);
  // Its job may be delivered again.
  await performDryRun(deps, id);
  expect(await shown(id)).toEqual(done);

  const stopped = await start();
  expect(await performDryRun(deps, stopped, () => true)).toBe("interrupted");
  expect(await shown(stopped)).toMatchObject({ state: "waiting", report: null });
  await performDryRun(deps, stopped);
  expect((await shown(stopped)).report).toEqual(done.report);
});

test("an admin has one dry run at a time, and another admin has one too", async () => {
  const actor = await build.admin();
  const command = { actor, blueprintId, options: optionsOf() };
  const id = await startDryRun(deps, command);
  expect(await refused(() => startDryRun(deps, command))).toMatchObject({
    status: 409,
    code: "dry_run_unfinished",
  });
  const other = await start();
  expect(await shown(other)).toMatchObject({ aheadCount: 1 });
  await cancelDryRun(deps, id);
  const next = await startDryRun(deps, command);
  for (const each of [other, next]) await cancelDryRun(deps, each);
});

test("a blueprint without actions, one that is unknown and too many players are refused, and nothing changes", async () => {
  const actor = await build.admin();
  const empty = await build.blueprint([]);
  const long = await build.blueprint(Array.from({ length: 60 }, () => ({})));
  const before = await read.digest();
  const refusedFor = (id: number, players = 12) =>
    refusalOf(startDryRun(deps, { actor, blueprintId: id, options: optionsOf({ players }) }));
  expect(await refusedFor(empty.id)).toMatchObject({ status: 422, code: "nothing_to_play" });
  expect(await refusedFor(999_999)).toMatchObject({ status: 404 });
  expect(await refusedFor(long.id, 300)).toMatchObject({ status: 422, code: "too_large" });
  expect(await read.digest()).toBe(before);
});

test("a dry run that is cancelled while it plays ends without a report and without a database", async () => {
  const id = await start(optionsOf({ players: 60 }));
  const playing = performDryRun(deps, id);
  await waitFor("calls", async () => (await shown(id)).callsCount > 0, { withinMs: 120_000 });
  await cancelDryRun(deps, id);
  expect(await playing).toBe("ended");
  expect(await shown(id)).toMatchObject({ state: "cancelled", report: null });
  expect(await ownDatabases()).toEqual([]);
  await performDryRun(deps, id);
  expect(await shown(id)).toMatchObject({ state: "cancelled" });
});

test("a dry run whose worker has died is said to be stuck, and is played again", async () => {
  const id = await start();
  const longAgo = sql`clock_timestamp() - interval '1 minute'`;
  await set(dryRuns, id, {
    state: "playing",
    attempt: 1,
    movedAt: longAgo,
    createdAt: longAgo,
  });
  expect(await shown(id)).toMatchObject({ state: "playing", stuck: true });
  const added: number[] = [];
  const queues: Deps["queues"] = {
    ...deps.queues,
    performDryRun: ({ dryRunId }) => Promise.resolve(void added.push(dryRunId)),
  };
  await resumeDryRuns({ ...deps, queues });
  expect(added).toEqual([id]);
  // This worker takes it, and is going to stop.
  expect(await performDryRun(deps, id, () => true)).toBe("interrupted");
  expect(await shown(id)).toMatchObject({ state: "waiting", stuck: true });
  await cancelDryRun(deps, id);
  expect(await shown(id)).toMatchObject({ state: "cancelled", stuck: false });
});

test("the page says in words that the server creates no database for this role", async () => {
  await deps.pool.sql`CREATE ROLE no_databases LOGIN`;
  const url = new URL(databaseUrl);
  url.username = "no_databases";
  const id = await start();
  await performDryRun({ ...deps, env: { ...deps.env, directDatabaseUrl: url.href } }, id);
  expect(await shown(id)).toMatchObject({ state: "failed", failure: "no_database", report: null });
});

test("a dry run is deleted after a week, with a database that a dead worker has left", async () => {
  const id = await start();
  await deps.pool.sql.unsafe(`CREATE DATABASE "${databasePrefix(databaseUrl)}${id}"`);
  await pruneDryRuns(deps);
  expect(await ownDatabases()).toHaveLength(1);
  await cancelDryRun(deps, id);
  await set(dryRuns, id, { createdAt: sql`clock_timestamp() - interval '8 days'` });
  await pruneDryRuns(deps);
  expect(await ownDatabases()).toEqual([]);
  expect(await refusalOf(shown(id))).toMatchObject({ status: 404 });
});
