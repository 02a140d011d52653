import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { connect, type DatabasePool, inTransaction, type Transaction } from "#db/client.ts";
import { findIdleTransactions } from "#db/idle-transactions.ts";
import { gateEvent } from "#db/ledger/locks.ts";
import { events } from "#db/schema/events.ts";
import { createHub } from "#src/live/cable/hub.ts";
import { showHealth } from "#src/operate/health/show-health.ts";
import { createProcessMetrics } from "#src/operate/metrics/process-metrics.ts";
import { createServer } from "#src/server.ts";
import { endIdleTransactions } from "#src/show/timers/sweep.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { inLongTransaction } from "#tests/support/in-long-transaction.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { sampleOf } from "./samples.ts";

// Transactions of which Postgres does not know that they may idle for 4 s only, as behind a pooler that has dropped the setting.
const METRICS_TOKEN = "a token that only tests of transactions use";
const { deps, build } = await testWorld({ METRICS_TOKEN });
const { session, event } = await build.openShow({ durationSeconds: 600 });

/** What ends the connections of a test that has failed. */
const ends: (() => unknown)[] = [];
afterTest(() => Promise.all(ends.splice(0).map((end) => end())));

type Held = { released: Promise<unknown>; release: () => void };

/** Opens a transaction that does this and then says nothing. @param name of its process. */
async function hold(work: (tx: Transaction) => Promise<unknown>, name?: string): Promise<Held> {
  const pool: DatabasePool = connect(deps.env.databaseUrl, { poolSize: 1, name });
  const [holding, releasing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const released = inLongTransaction(pool.db, async (tx) => {
    await work(tx);
    holding.resolve();
    await releasing.promise;
  });
  void released.catch(() => undefined).then(() => pool.close());
  ends.push(releasing.resolve);
  await holding.promise;
  return {
    released: released.then(
      () => "committed",
      () => "ended",
    ),
    release: () => releasing.resolve(),
  };
}
/** Another transaction of the same process, which waits for the gate. */
function waitForGate({ db }: DatabasePool): Promise<string> {
  const waiting = inLongTransaction(db, async (tx) => {
    await gateEvent(tx, event.id);
  });
  return waiting.then(
    () => "committed",
    () => "ended",
  );
}

const holders = async () => (await findIdleTransactions(deps.pool.db)).map(({ holder }) => holder);

test("a process that keeps an event's gate is named, and ended by another one; a backup and an operator are not ended", async () => {
  const queuedPool = connect(deps.env.databaseUrl, { poolSize: 1, name: "relay" });
  await queuedPool.sql`SELECT 1`;
  ends.push(() => queuedPool.close());
  const web = await hold((tx) => gateEvent(tx, event.id), "web-2");
  const queued = waitForGate(queuedPool);
  const psql = await hold((tx) => tx.update(events).set({ description: "by hand" }));
  const reader = await hold((tx) => tx.select().from(events));
  const who = `web-2 (process ${process.pid} on `;

  await untilPasses(async () =>
    expect((await holders()).toSorted()).toEqual([
      expect.stringContaining("called-it"),
      expect.stringContaining(who),
    ]),
  );
  const hub = createHub(deps);
  const { parts } = await showHealth(deps, hub, { slugOrId: session.slug, eventId: null });
  expect(parts.database).toMatchObject({
    state: "slow",
    held: { holder: expect.stringContaining(who), eventIds: [event.id] },
  });
  const server = createServer(deps);
  const ready = async (headers: Record<string, string>) => {
    const answer = await server.handle(new Request("http://localhost/ready", { headers }));
    return { status: answer.status, text: await answer.text() };
  };
  const observed = await ready({ authorization: `Bearer ${METRICS_TOKEN}` });
  expect(observed.status).toBe(200);
  expect(observed.text).toContain(who);
  expect(observed.text).toContain(`with event ${event.id} `);
  const seen = await ready({});
  expect(seen.text).toContain("processes silent");
  expect(seen.text).not.toContain("web-2");
  const metrics = createProcessMetrics(deps, hub);
  const idleSeconds = async () => sampleOf(await metrics.read(), "called_it_idle_transaction_seconds", {});
  expect(await idleSeconds()).toBeGreaterThanOrEqual(2);

  // However late the first look is.
  await waitFor("the limit to be over", async () => ((await idleSeconds()) ?? 0) > 4.5);
  await waitFor("the process's transaction to be ended", async () => {
    await endIdleTransactions(deps);
    return (await holders()).every((holder) => !holder.startsWith("web-2"));
  });
  // The same process waited for the gate too, and never had it.
  expect(await queued).toBe("ended");
  web.release();
  expect(await web.released).toBe("ended");
  expect(sampleOf(await metrics.read(), "called_it_transactions_ended_total", {})).toBe(1);
  expect(await holders()).toEqual([expect.stringContaining("called-it")]);
  for (const other of [psql, reader]) {
    other.release();
    expect(await other.released).toBe("committed");
  }
  expect(await holders()).toEqual([]);
});

test("whom others wait for is named also where the role may not see what it does", async () => {
  const role = `other_${crypto.randomUUID().slice(0, 8)}`;
  await deps.pool.sql.unsafe(`CREATE ROLE ${role} LOGIN; GRANT SELECT, UPDATE ON events TO ${role}`);
  const application = connect(deps.env.databaseUrl.replace(/\/\/[^@]+@/, `//${role}@`), { poolSize: 2 });
  const owner = await hold((tx) => tx.update(events).set({ description: "by the owner" }));
  const waiting = inTransaction(application.db, (tx) =>
    tx.select({ id: events.id }).from(events).where(eq(events.id, event.id)).for("update"),
  );
  const named = await waitFor("the owner's transaction to be named", async () => {
    const [idle] = await findIdleTransactions(application.db);
    return idle?.holder ?? null;
  });
  expect(named).toContain("app, called-it");
  owner.release();
  await Promise.all([owner.released, waiting]);
  await application.close();
  await deps.pool.sql.unsafe(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
});
