import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { inTransaction, POOL_SIZE_MAX } from "#db/client.ts";
import { audit } from "#db/schema/audit.ts";
import { calls } from "#db/schema/calls.ts";
import { startWebProcess } from "#tests/faults/worker-process.ts";
import { buildDueEvent } from "#tests/jobs/due-events.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { listDifferences } from "#tests/support/books.ts";
import {
  buildAdmin,
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  readEvent,
  readSpots,
} from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";

// A web process is stopped (SIGSTOP) in the middle of a host's transaction, like a paused machine. Postgres ends the transaction after
// 4 s; until then its locks stay. Meanwhile another web process serves.
const TEST_WITHIN_MS = 180_000;
const CLOSES_IN_MS = 3_000;
/** More than a process has connections. */
const CANCELS = POOL_SIZE_MAX + 2;

const deps = await testDeps();
const [frozen, other] = [await startWebProcess(deps), await startWebProcess(deps)];
afterFile(async () => {
  process.kill(frozen.pid, "SIGCONT");
  await Promise.all([frozen.stop(), other.stop()]);
});
afterTest(async () => expect(await listDifferences(deps.pool.db)).toEqual([]));

const session = await buildRunningSession(deps);
const host = await buildAdmin(deps);
const admin = await signInDirectly(deps, host);
/** What the host has done. */
const countDeeds = () => deps.pool.db.$count(audit, eq(audit.actorId, host.id));

function ask(
  origin: string,
  { by, path, body = {} }: { by: Record<string, string>; path: string; body?: object },
): Promise<Response> {
  return fetch(`${origin}/api/v1${path}`, {
    method: path.startsWith("/events") ? "PUT" : "POST",
    headers: { ...by, origin, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** Cancels calls of a player. @returns the statuses of the answers. */
async function cancelAll(
  origin: string,
  { userId, callIds }: { userId: number; callIds: readonly number[] },
) {
  const by = await signInDirectly(deps, { id: userId });
  const answers = await Promise.all(
    callIds.map((id) =>
      fetch(`${origin}/api/v1/calls/${id}`, { method: "DELETE", headers: { ...by, origin } }),
    ),
  );
  return answers.map(({ status }) => status);
}

async function place(origin: string, eventId: number): Promise<number> {
  const by = await signInDirectly(deps, await buildPlayer(deps));
  const body = { call: { spot_id: (await readSpots(deps, eventId)).true.id, wager: 1 } };
  const headers = { ...by, "idempotency-key": crypto.randomUUID() };
  const answer = await ask(origin, { by: headers, path: "/calls", body });
  await answer.body?.cancel();
  return answer.status;
}

/** The server process that waits for the table of audit entries, or null. */
async function findWaiting(): Promise<number | null> {
  const [row] = await deps.pool.db.execute(
    sql`SELECT pid FROM pg_locks WHERE relation = 'audit'::regclass AND NOT granted`,
  );
  return row === undefined ? null : Number(row["pid"]);
}

async function stateOf(pid: number): Promise<string | null> {
  const [row] = await deps.pool.db.execute(sql`SELECT state FROM pg_stat_activity WHERE pid = ${pid}`);
  return row === undefined ? null : String(row["state"]);
}

/** Freezes the process while it delays an event and holds its session's row and its gate. */
async function freezeWhileDelaying(eventId: number): Promise<{ backend: number; asked: Promise<Response> }> {
  const { asked, backend } = await inTransaction(deps.pool.db, async (tx) => {
    await tx.execute(sql`LOCK TABLE audit IN EXCLUSIVE MODE`);
    const asked = ask(frozen.origin, { by: admin, path: `/events/${eventId}/delay` });
    const backend = await waitFor("the host's transaction to write its entry", findWaiting);
    process.kill(frozen.pid, "SIGSTOP");
    return { asked, backend };
  });
  await waitFor("its statement to end", async () => (await stateOf(backend)) === "idle in transaction");
  return { backend, asked };
}

test(
  "a frozen process that holds an event delays no call on another one, and holds the event for seconds only",
  async () => {
    const open = await buildEvent(deps, "open", { sessionId: session.id, durationSeconds: 600 });
    expect(await place(other.origin, open.id)).toBe(201);
    const held = await buildDueEvent(deps, CLOSES_IN_MS, { sessionId: session.id });
    const deedsBefore = await countDeeds();
    const player = await buildPlayer(deps);
    const own = { userId: player.id, eventId: held.id, side: "true", wagerCents: 1 } as const;
    const placed = await Promise.all(Array.from({ length: CANCELS }, () => buildCall(deps, own)));

    const { backend, asked } = await freezeWhileDelaying(held.id);
    const cancelling = cancelAll(other.origin, { userId: player.id, callIds: placed });
    expect(await place(other.origin, open.id)).toBe(201);
    // Nothing has waited for the frozen transaction: it is still there.
    expect(await stateOf(backend)).toBe("idle in transaction");
    const callsBefore = await deps.pool.db.$count(calls);
    expect(await place(other.origin, held.id)).toBe(503);
    expect(await deps.pool.db.$count(calls)).toBe(callsBefore);
    expect(await cancelling).toEqual(placed.map(() => 503));

    await waitFor(
      "the close by the other process",
      async () => (await readEvent(deps, held.id)).state === "closed",
    );
    expect(await stateOf(backend)).toBeNull();
    expect(await place(other.origin, held.id)).toBe(422);

    process.kill(frozen.pid, "SIGCONT");
    const answer = await asked;
    expect(answer.status).toBe(503);
    expect((await readEvent(deps, held.id)).closesAt).toEqual(held.closesAt);
    expect(await countDeeds()).toBe(deedsBefore);
    expect(await place(frozen.origin, open.id)).toBe(201);
  },
  TEST_WITHIN_MS,
);
