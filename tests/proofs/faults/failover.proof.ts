import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { outbox } from "#db/schema/outbox.ts";
import { startPostgresEngine } from "#tests/engines/postgres.ts";
import { engineDeps, startProductOn } from "#tests/proofs/engines/engine-deps.ts";
import { REPLICA, startReplica } from "#tests/proofs/engines/replica.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { listDifferences } from "#tests/support/books.ts";
import { buildEvent, buildRunningSession, readSpots } from "#tests/support/build.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { startLoad } from "./load.ts";

// The whole product on a primary and its synchronous replica. The primary is killed under load, and the replica promoted.
const TEST_WITHIN_MS = 180_000;
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
const session = await buildRunningSession(deps);
const open = await buildEvent(deps, "open", { sessionId: session.id, durationSeconds: 600 });

test(
  "when the primary is killed and its synchronous replica promoted, calls are refused with 503 and none is lost",
  async () => {
    const load = await startLoad(deps, {
      origin,
      spotId: (await readSpots(deps, open.id)).true.id,
      page: `${origin}/sessions/${session.slug}`,
    });
    const calledSince = (status: number, sinceMs: number) =>
      load.met.some((each) => each.what === "call" && each.status === status && each.atMs > sinceMs);
    await waitFor("a call", () => calledSince(201, 0));
    const killedAtMs = performance.now();
    await primary.kill();
    await waitFor("a refusal", () => calledSince(503, killedAtMs));
    await replica.run("SELECT pg_promote()");
    const promotedAtMs = performance.now();
    await waitFor("a call afterwards", () => calledSince(201, promotedAtMs), { withinMs: BACK_WITHIN_MS });
    const acknowledged = await load.stop();

    expect(new Set(load.met.map(({ status }) => status))).toEqual(new Set([200, 201, 503]));
    const placed = await deps.pool.db.select({ id: calls.id }).from(calls).where(eq(calls.eventId, open.id));
    expect(acknowledged.filter((id) => placed.every((call) => call.id !== id))).toEqual([]);
    expect(load.differences()).toEqual([]);
    expect(await listDifferences(deps.pool.db)).toEqual([]);
    await waitFor("all facts to be broadcast", async () => {
      const rows = await deps.pool.db.select({ sentAt: outbox.sentAt }).from(outbox);
      return rows.every(({ sentAt }) => sentAt !== null);
    });
    expect(product.printed()).toContain("another server of the database takes the writes");
  },
  TEST_WITHIN_MS,
);

const REFUSALS = 20;

test(
  "a former primary that comes back unfenced is not used, also while the new one is away",
  async () => {
    await primary.start();
    await primary.run("ALTER SYSTEM RESET synchronous_standby_names");
    await primary.run("SELECT pg_reload_conf()");
    const countFormer = () => primary.run("SELECT count(*) FROM called_it.public.calls");
    const before = await countFormer();
    const load = await startLoad(deps, {
      origin,
      spotId: (await readSpots(deps, open.id)).true.id,
      page: `${origin}/sessions/${session.slug}`,
    });
    const countSince = (status: number, sinceMs: number) =>
      load.met.filter((each) => each.what === "call" && each.status === status && each.atMs > sinceMs).length;
    await waitFor("a call on the new primary", () => countSince(201, 0) > 0);
    await replica.kill();
    const killedAtMs = performance.now();
    await waitFor("refusals", () => countSince(503, killedAtMs) >= REFUSALS, { withinMs: BACK_WITHIN_MS });
    expect(countSince(201, killedAtMs)).toBe(0);
    expect(await countFormer()).toEqual(before);
    await replica.start();
    const startedAtMs = performance.now();
    await waitFor("a call afterwards", () => countSince(201, startedAtMs) > 0, { withinMs: BACK_WITHIN_MS });
    await load.stop();
    expect(await countFormer()).toEqual(before);
    expect(await listDifferences(deps.pool.db)).toEqual([]);
  },
  TEST_WITHIN_MS,
);
