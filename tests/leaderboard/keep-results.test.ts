import { afterAll, beforeAll, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { inTransaction } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { resetEvent } from "#src/events/reset-event.ts";
import { resolveEvent } from "#src/events/resolve-event.ts";
import { compareScores } from "#src/leaderboard/compare-scores.ts";
import { findLeaders } from "#src/leaderboard/find-scores.ts";
import { keepResults } from "#src/leaderboard/keep-results.ts";
import { rebuildScores } from "#src/leaderboard/rebuild-scores.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { buildDeps, type TestDeps } from "#tests/support/deps.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await buildDeps();
});
afterAll(() => deps.close());

const AGREES = { results: 0, scores: 0 };

const side = fc.constantFrom("true" as const, "false" as const);
const result = fc.constantFrom("true" as const, "false" as const, "void" as const);
const move = fc.oneof(
  fc.record({ kind: fc.constant("resolve" as const), event: fc.nat(3), result }),
  fc.record({ kind: fc.constant("reset" as const), event: fc.nat(3) }),
);

test("after any resolving, correcting and resetting, what is kept is what the calls say", async () => {
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
            next.kind === "reset" ? resetEvent(deps, order) : resolveEvent(deps, { ...order, ...next });
          // A draft cannot be resolved or reset; then nothing changes.
          await done.catch(() => undefined);
          expect(await compareScores(deps.pool.db)).toEqual(AGREES);
        }
      },
    ),
    { numRuns: 15 },
  );
});

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
    events.map(({ id: eventId }) => resolveEvent(deps, { eventId, actor: null, result: "true" })),
  );
  expect(await compareScores(deps.pool.db)).toEqual(AGREES);
  const { leaders } = await findLeaders(deps.pool.db, { sessionId: session.id, limit: 1, viewerId: null });
  expect(leaders).toMatchObject([{ wins: 4, losses: 0, currentStreak: 4, bestStreak: 4 }]);
});

test("keeping the same results again changes nothing", async () => {
  const event = await buildEvent(deps, "open");
  await buildCall(deps, { userId: (await buildPlayer(deps)).id, eventId: event.id });
  await resolveEvent(deps, { eventId: event.id, actor: null, result: "true" });
  await inTransaction(deps.pool.db, (tx) => keepResults(tx, event.id));
  expect(await compareScores(deps.pool.db)).toEqual(AGREES);
});

test("what went wrong is found, and mended by counting anew", async () => {
  const [wrong] = await deps.pool.db
    .select({ userId: calls.userId })
    .from(calls)
    .where(eq(calls.state, "resolved"));
  await deps.pool.db.execute(sql`UPDATE scores SET wins = wins + 1 WHERE user_id = ${wrong?.userId ?? 0}`);
  const found = await compareScores(deps.pool.db);
  expect(found.scores).toBeGreaterThan(0);
  expect(await rebuildScores(deps)).toEqual(found);
  expect(await compareScores(deps.pool.db)).toEqual(AGREES);
});
