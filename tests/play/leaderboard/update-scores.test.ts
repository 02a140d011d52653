import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { anyOf } from "#db/any-of.ts";
import { inTransaction } from "#db/client.ts";
import { scores } from "#db/schema/scores.ts";
import { findLeaders } from "#src/play/leaderboard/find-scores.ts";
import { compareScores, repairScores } from "#src/play/leaderboard/repair-scores.ts";
import { updateScores } from "#src/play/leaderboard/update-scores.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

const deps = await testDeps();

/** Many small games; the timeout allows for a busy machine. */
const SLOW_MS = 180_000;
const AGREES = { results: 0, scores: 0 };

const side = fc.constantFrom("true" as const, "false" as const);
const result = fc.constantFrom("true" as const, "false" as const, "void" as const);
const move = fc.oneof(
  fc.record({ kind: fc.constant("resolve" as const), event: fc.nat(3), result }),
  fc.record({ kind: fc.constant("reset" as const), event: fc.nat(3) }),
);

test(
  "after any resolving, correcting and resetting, what is kept is what the calls say",
  async () => {
    const players = [await buildPlayer(deps), await buildPlayer(deps), await buildPlayer(deps)];
    const call = fc.record({
      event: fc.nat(3),
      player: fc.nat(2),
      side,
      wagerCents: fc.integer({ min: 1, max: 90 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { maxLength: 10 }),
        fc.array(move, { minLength: 1, maxLength: 8 }),
        async (placed, moves) => {
          const session = await buildRunningSession(deps);
          const events = await Promise.all(
            [session.id, session.id, session.id, null].map((sessionId) =>
              buildEvent(deps, "open", { sessionId }),
            ),
          );
          for (const { event, player, ...rest } of placed) {
            const userId = players[player]?.id ?? 0;
            await buildCall(deps, { userId, eventId: events[event]?.id ?? 0, ...rest });
          }
          for (const next of moves) {
            const order = { eventId: events[next.event]?.id ?? 0, actor: null, reason: "Looked again" };
            const done =
              next.kind === "reset" ? resetEvent(deps, order) : resolveAndPay(deps, { ...order, ...next });
            // A draft cannot be resolved or reset; then nothing changes.
            await done.catch(() => undefined);
            expect(await compareScores(deps.pool.db)).toEqual(AGREES);
          }
        },
      ),
      { numRuns: 15 },
    );
  },
  SLOW_MS,
);

test("two events of the same players settle at the same time", async () => {
  const session = await buildRunningSession(deps);
  const players = await Promise.all(Array.from({ length: 12 }, () => buildPlayer(deps)));
  const events = await Promise.all(
    Array.from({ length: 4 }, () => buildEvent(deps, "open", { sessionId: session.id })),
  );
  for (const { id: eventId } of events) {
    for (const [index, { id: userId }] of players.entries()) {
      await buildCall(deps, { userId, eventId, side: index % 2 === 0 ? "true" : "false" });
    }
  }
  await Promise.all(
    events.map(({ id: eventId }) => resolveAndPay(deps, { eventId, actor: null, result: "true" })),
  );
  expect(await compareScores(deps.pool.db)).toEqual(AGREES);
  const { leaders } = await findLeaders(deps, { sessionId: session.id, limit: 1, viewerId: null });
  expect(leaders).toMatchObject([{ wins: 4, losses: 0, currentStreak: 4, bestStreak: 4 }]);
});

test("updating the same results again changes nothing", async () => {
  const event = await buildEvent(deps, "open");
  await buildCall(deps, { userId: (await buildPlayer(deps)).id, eventId: event.id });
  await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });
  await inTransaction(deps.pool.db, (tx) => updateScores(tx, event.id));
  expect(await compareScores(deps.pool.db)).toEqual(AGREES);
});

test("an event updated in ranges of players ends like one updated at once", async () => {
  const session = await buildRunningSession(deps);
  const event = await buildEvent(deps, "open", { sessionId: session.id });
  const players = await Promise.all(Array.from({ length: 5 }, () => buildPlayer(deps)));
  for (const [index, { id: userId }] of players.entries()) {
    await buildCall(deps, { userId, eventId: event.id, side: index === 0 ? "true" : "false" });
  }
  await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });
  const kept = await deps.pool.db.select().from(scores).orderBy(scores.userId, scores.sessionId);
  await inTransaction(deps.pool.db, async (tx) => {
    await tx.execute(sql`DELETE FROM results WHERE event_id = ${event.id}`);
    await tx.execute(
      sql`DELETE FROM scores WHERE ${anyOf(
        scores.userId,
        players.map(({ id }) => id),
      )}`,
    );
    const [first = 0, , third = 0] = players.map(({ id }) => id).toSorted((one, other) => one - other);
    await updateScores(tx, event.id, { from: third, to: third + 1_000 });
    await updateScores(tx, event.id, { from: first, to: third - 1 });
  });
  expect(await deps.pool.db.select().from(scores).orderBy(scores.userId, scores.sessionId)).toEqual(kept);
  expect(await compareScores(deps.pool.db)).toEqual(AGREES);
});

/** Damages rows of two players: rows without calls, a missing row, and a wrong one. */
async function spoil(userId: number, otherId: number): Promise<void> {
  await deps.pool.db.execute(sql`UPDATE scores SET wins = wins + 1 WHERE user_id = ${userId}`);
  await deps.pool.db.execute(sql`DELETE FROM results WHERE user_id = ${otherId}`);
  await deps.pool.db
    .execute(sql`INSERT INTO results SELECT 999999, user_id, session_id, resolved_at, 1, 5, 1, 6, false
    FROM results WHERE user_id = ${userId} LIMIT 1`);
}

const repair = (sessionId: number | null) =>
  inTransaction(deps.pool.db, async (tx) =>
    [...(await repairScores(tx, sessionId))].toSorted((one, other) => one - other),
  );

test("differences are found, and only they are repaired by the recomputation", async () => {
  const session = await buildRunningSession(deps);
  const [ana, ben] = [await buildPlayer(deps), await buildPlayer(deps)];
  const event = await buildEvent(deps, "open", { sessionId: session.id });
  await buildCall(deps, { userId: ana.id, eventId: event.id, side: "true" });
  await buildCall(deps, { userId: ben.id, eventId: event.id, side: "false" });
  await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });
  const elsewhere = await buildRunningSession(deps);

  for (const scope of [null, session.id]) {
    await spoil(ana.id, ben.id);
    expect((await compareScores(deps.pool.db)).scores).toBeGreaterThan(0);
    expect(await repair(elsewhere.id)).toEqual([]);
    expect(await repair(scope)).toEqual([ana.id, ben.id]);
    expect(await compareScores(deps.pool.db)).toEqual(AGREES);
    expect(await repair(scope)).toEqual([]);
  }
});
