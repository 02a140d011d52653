import { expect, test } from "bun:test";
import { and, eq, isNull } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { outbox } from "#db/schema/outbox.ts";
import { startPostgresEngine } from "#tests/engines/postgres.ts";
import { alarmOf, buildDueEvent } from "#tests/jobs/due-events.ts";
import { engineDeps, startProductOn } from "#tests/proofs/engines/engine-deps.ts";
import { startPgBouncer } from "#tests/proofs/engines/pgbouncer.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { listDifferences } from "#tests/support/books.ts";
import {
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  readEvent,
  readSpots,
} from "#tests/support/build.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { startLoad } from "./load.ts";

// The whole product behind a PgBouncer in transaction mode, whose four connections to Postgres all its processes share.
const TEST_WITHIN_MS = 180_000;
const CLOSES_IN_MS = 1_000;

const postgres = await startPostgresEngine();
afterFile(() => postgres.remove());
const bouncer = await startPgBouncer(postgres);
afterFile(() => bouncer.stop());
const deps = await engineDeps(postgres);
const product = startProductOn(deps, { databaseUrl: bouncer.url, ownerUrl: postgres.ownerUrl });
const origin = await product.url;

const session = await buildRunningSession(deps);
const open = await buildEvent(deps, "open", { sessionId: session.id, durationSeconds: 600 });
const target = {
  origin,
  spotId: (await readSpots(deps, open.id)).true.id,
  page: `${origin}/sessions/${session.slug}`,
};

test(
  "calls, pages, transitions, settlements and broadcasts work over four connections",
  async () => {
    const load = await startLoad(deps, target);
    const due = await buildDueEvent(deps, CLOSES_IN_MS, { resolveWithinSeconds: 0, autoResult: "true" });
    for (const side of ["true", "false"] as const) {
      const { id: userId } = await buildPlayer(deps);
      await buildCall(deps, { userId, eventId: due.id, side });
    }
    await deps.queues.setAlarm(alarmOf(due), CLOSES_IN_MS);
    await waitFor("the payouts", async () => {
      const unpaid = await deps.pool.db.$count(
        calls,
        and(eq(calls.eventId, due.id), isNull(calls.payoutCents)),
      );
      return (await readEvent(deps, due.id)).state === "resolved" && unpaid === 0;
    });
    const acknowledged = await load.stop();
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(load.met.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    expect(load.differences()).toEqual([]);
    await waitFor("all facts to be broadcast", async () => {
      return (await deps.pool.db.$count(outbox, isNull(outbox.sentAt))) === 0;
    });
    const connections = await postgres.run("SELECT 1 FROM pg_stat_activity WHERE usename = 'called_it'");
    expect(connections.length).toBeLessThanOrEqual(4);
  },
  TEST_WITHIN_MS,
);

const losses = [
  { what: "PgBouncer", server: bouncer },
  { what: "Postgres behind it", server: postgres },
];
for (const { what, server } of losses) {
  test(
    `while ${what} is away requests are refused with 503, and afterwards nothing is lost`,
    async () => {
      const load = await startLoad(deps, target);
      const calledSince = (status: number, sinceMs: number) =>
        load.met.some((each) => each.what === "call" && each.status === status && each.atMs > sinceMs);
      await waitFor("a call", () => calledSince(201, 0));
      await server.kill();
      await waitFor("a refusal", () => calledSince(503, 0));
      await server.start();
      const backAtMs = performance.now();
      await waitFor("a call afterwards", () => calledSince(201, backAtMs));
      const acknowledged = await load.stop();
      expect(new Set(load.met.map(({ status }) => status))).toEqual(new Set([200, 201, 503]));
      const placed = await deps.pool.db
        .select({ id: calls.id })
        .from(calls)
        .where(eq(calls.eventId, open.id));
      const ids = new Set(placed.map(({ id }) => id));
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
      expect(await listDifferences(deps.pool.db)).toEqual([]);
    },
    TEST_WITHIN_MS,
  );
}
