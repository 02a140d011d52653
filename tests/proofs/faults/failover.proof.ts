import { expect, test } from "bun:test";
import { isNull } from "drizzle-orm";
import { outbox } from "#db/schema/outbox.ts";
import { startPostgresEngine } from "#tests/engines/postgres.ts";
import { engineDeps, startProductOn } from "#tests/proofs/engines/engine-deps.ts";
import { REPLICA, startReplica } from "#tests/proofs/engines/replica.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { expectNothingLost, expectRefusedMeanwhile, Load, openShow } from "../load.ts";

// The whole product on a primary and its synchronous replica. The primary is killed under load, and the replica promoted.
const BACK_WITHIN_MS = 30_000;

const primary = await startPostgresEngine();
afterFile(() => primary.remove());
const replica = await startReplica(primary);
afterFile(() => replica.remove());
// Only now, because without a replica no commit would end.
await primary.run(`ALTER SYSTEM SET synchronous_standby_names = '${REPLICA}'`);
await primary.run("SELECT pg_reload_conf()");
await waitFor("the synchronous replica", async () => {
  return (await primary.run("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).length === 1;
});
const both = (url: string) =>
  `${url.replace(`:${primary.port}/`, `:${primary.port},127.0.0.1:${replica.port}/`)}?target_session_attrs=read-write`;

const deps = await engineDeps({ ownerUrl: both(primary.ownerUrl) });
const product = startProductOn(deps, { databaseUrl: both(primary.url), ownerUrl: both(primary.ownerUrl) });
const origin = await product.url;
const show = await openShow(deps);
const startLoad = () => Load.start(deps, { origin, show, paths: [`/sessions/${show.slug}`] });

test("when the primary is killed and its synchronous replica promoted, calls are refused with 503 and none is lost", async () => {
  await expectRefusedMeanwhile(await startLoad(), {
    takeAway: () => primary.kill(),
    giveBack: () => replica.run("SELECT pg_promote()"),
  });
  await waitFor("all facts to be broadcast", async () => {
    return (await deps.pool.db.$count(outbox, isNull(outbox.sentAt))) === 0;
  });
  expect(product.printed()).toContain("another server of the database takes the writes");
});

const REFUSALS = 20;

test("a former primary that comes back unfenced is not used, also while the new one is away", async () => {
  await primary.start();
  await primary.run("ALTER SYSTEM RESET synchronous_standby_names");
  await primary.run("SELECT pg_reload_conf()");
  const countFormer = () => primary.run("SELECT count(*) FROM called_it.public.calls");
  const before = await countFormer();
  const load = await startLoad();
  await waitFor("a call on the new primary", () => load.count("call", 201) > 0);
  await replica.kill();
  // Answers of before are still on their way.
  let refusedAtMs = performance.now();
  const refusals = () => load.count("call", 503, refusedAtMs) >= REFUSALS;
  await waitFor("refusals", refusals, { withinMs: BACK_WITHIN_MS });
  refusedAtMs = performance.now();
  await waitFor("refusals alone", refusals, { withinMs: BACK_WITHIN_MS });
  expect(load.count("call", 201, refusedAtMs)).toBe(0);
  expect(await countFormer()).toEqual(before);
  await replica.start();
  const startedAtMs = performance.now();
  const isBack = () => load.count("call", 201, startedAtMs) > 0;
  await waitFor("a call afterwards", isBack, { withinMs: BACK_WITHIN_MS });
  await expectNothingLost(load);
  expect(await countFormer()).toEqual(before);
});
