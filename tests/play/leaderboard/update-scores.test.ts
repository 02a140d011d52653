import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { paySettlementPart } from "#db/ledger/pay-settlement-part.ts";
import { anyOf, wholeNumber } from "#db/ledger/query.ts";
import { exclusions } from "#db/schema/exclusions.ts";
import { scores } from "#db/schema/scores.ts";
import { users } from "#db/schema/users.ts";
import { recordChange } from "#src/base/outbox/record-leaderboard-change.ts";
import { findLeaders, findScores } from "#src/play/leaderboard/find-scores.ts";
import { compareScores, repairScores, updateScores } from "#src/play/leaderboard/repair-scores.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { buildLargeEvent } from "#tests/bench/settle/large-event.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, by, timer, build } = await testWorld();

const AGREES = { results: 0, scores: 0 };

const side = fc.constantFrom("true" as const, "false" as const);
const result = fc.constantFrom("true" as const, "false" as const, "void" as const);
const move = fc.oneof(
  fc.record({ kind: fc.constant("resolve" as const), event: fc.nat(3), result }),
  fc.record({ kind: fc.constant("reset" as const), event: fc.nat(3) }),
);

test("after any resolving, correcting and resetting, what is kept is what the calls say", async () => {
  const players = [await build.player(), await build.player(), await build.player()];
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
        const session = await build.runningSession();
        const events = await Promise.all(
          [session.id, session.id, session.id, null].map((sessionId) => build.event("open", { sessionId })),
        );
        for (const { event, player, ...rest } of placed) {
          const userId = players[player]?.id ?? 0;
          await build.call({ userId, eventId: events[event]?.id ?? 0, ...rest });
        }
        for (const next of moves) {
          const order = { eventId: events[next.event]?.id ?? 0, actor: null, reason: "Looked again" };
          const done =
            next.kind === "reset" ? resetEvent(deps, order) : resolveAndPay(deps, { ...order, ...next });
          // A draft cannot be resolved or reset; then nothing changes.
          await done.catch(() => undefined);
          expect(await compareScores(db)).toEqual(AGREES);
        }
      },
    ),
    { numRuns: 15 },
  );
});

test("two events of the same players settle at the same time", async () => {
  const session = await build.runningSession();
  const players = await Promise.all(Array.from({ length: 12 }, () => build.player()));
  const events = await Promise.all(
    Array.from({ length: 4 }, () => build.event("open", { sessionId: session.id })),
  );
  for (const { id: eventId } of events) {
    for (const [index, { id: userId }] of players.entries()) {
      await build.call({ userId, eventId, side: index % 2 === 0 ? "true" : "false" });
    }
  }
  await Promise.all(events.map(({ id: eventId }) => timer.settle(eventId)));
  expect(await compareScores(db)).toEqual(AGREES);
  const { leaders } = await findLeaders(deps, { sessionId: session.id, limit: 1, viewerId: null });
  expect(leaders).toMatchObject([{ wins: 4, losses: 0, currentStreak: 4, bestStreak: 4 }]);
});

test("updating the same results again changes nothing", async () => {
  const event = await build.event("open");
  await build.call({ userId: (await build.player()).id, eventId: event.id });
  await timer.settle(event.id);
  await inTransaction(db, (tx) => updateScores(tx, event.id));
  expect(await compareScores(db)).toEqual(AGREES);
});

test("an event updated in ranges of players ends like one updated at once", async () => {
  const { event } = await build.openShow();
  const players = await Promise.all(Array.from({ length: 5 }, () => build.player()));
  for (const [index, { id: userId }] of players.entries()) {
    await build.call({ userId, eventId: event.id, side: index === 0 ? "true" : "false" });
  }
  await timer.settle(event.id);
  const kept = await db.select().from(scores).orderBy(scores.userId, scores.sessionId);
  await inTransaction(db, async (tx) => {
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
  expect(await db.select().from(scores).orderBy(scores.userId, scores.sessionId)).toEqual(kept);
  expect(await compareScores(db)).toEqual(AGREES);
});

/** Damages rows of two players: rows without calls, a missing row, and a wrong one. */
async function spoil(userId: number, otherId: number): Promise<void> {
  await db.execute(sql`UPDATE scores SET wins = wins + 1 WHERE user_id = ${userId}`);
  await db.execute(sql`DELETE FROM results WHERE user_id = ${otherId}`);
  await db.execute(sql`INSERT INTO results SELECT 999999, user_id, session_id, resolved_at, 1, 5, 1, 6, false
    FROM results WHERE user_id = ${userId} LIMIT 1`);
}

const repair = (sessionId: number | null) =>
  inTransaction(db, async (tx) =>
    [...(await repairScores(tx, sessionId))].toSorted((one, other) => one - other),
  );

test("differences are found, and only they are repaired by the recomputation", async () => {
  const session = await build.runningSession();
  const [ana, ben] = [await build.player(), await build.player()];
  const event = await build.event("open", { sessionId: session.id });
  await build.call({ userId: ana.id, eventId: event.id, side: "true" });
  await build.call({ userId: ben.id, eventId: event.id, side: "false" });
  await timer.settle(event.id);
  const elsewhere = await build.runningSession();

  for (const scope of [null, session.id]) {
    await spoil(ana.id, ben.id);
    expect((await compareScores(db)).scores).toBeGreaterThan(0);
    expect(await repair(elsewhere.id)).toEqual([]);
    expect(await repair(scope)).toEqual([ana.id, ben.id]);
    expect(await compareScores(db)).toEqual(AGREES);
    expect(await repair(scope)).toEqual([]);
  }
});

const PLAYERS = 40;
const rows = await db
  .insert(users)
  .values(
    Array.from({ length: PLAYERS }, (_, index) => ({
      username: `p_${index}`,
      email: `p${index}@example.test`,
    })),
  )
  .returning();
const userIds = rows.map(({ id }) => id);

type Played = { player: number; event: number; netCents: number };

/** Few events and nets, so that many scores are equal. */
const plays = fc.uniqueArray(
  fc.record({
    player: fc.nat(PLAYERS - 1),
    event: fc.nat(3),
    netCents: fc.constantFrom(-100, -50, 0, 50, 100),
  }),
  { minLength: 1, maxLength: 120, selector: ({ player, event }) => `${player} ${event}` },
);

/** The players excluded from the session, and those excluded everywhere. */
const excludedPlayers = fc.record({
  here: fc.uniqueArray(fc.nat(PLAYERS - 1), { maxLength: 4 }),
  everywhere: fc.uniqueArray(fc.nat(PLAYERS - 1), { maxLength: 4 }),
});
type Exclusions = { here: readonly number[]; everywhere: readonly number[] };

type Sums = { player: number; wins: number; losses: number; netCents: number };

/** The leaderboard computed without the database. */
function computeSums(played: readonly Played[]): Sums[] {
  return [...Map.groupBy(played, ({ player }) => player)].map(([player, own]) => ({
    player,
    wins: own.filter(({ netCents }) => netCents > 0).length,
    losses: own.filter(({ netCents }) => netCents < 0).length,
    netCents: own.reduce((sum, { netCents }) => sum + netCents, 0),
  }));
}

function order(one: Sums, other: Sums): number {
  return other.wins - one.wins || one.losses - other.losses || other.netCents - one.netCents;
}

function formatRank(table: readonly Sums[], player: number): number | null {
  const mine = table.find((sums) => sums.player === player);
  return mine === undefined ? null : table.filter((sums) => order(sums, mine) < 0).length + 1;
}

/** The expected rows of the leaderboard. */
function expected(played: readonly Played[], last: number) {
  const now = computeSums(played);
  const before = computeSums(played.filter(({ event }) => event !== last));
  return now
    .map(({ player }) => {
      const rank = formatRank(now, player) ?? 0;
      const previousRank = formatRank(before, player);
      const sharing = now.filter((sums) => formatRank(now, sums.player) === rank);
      return {
        userId: userIds[player] ?? 0,
        rank,
        tied: sharing.length > 1,
        rankChange: previousRank === null ? null : previousRank - rank,
      };
    })
    .toSorted((one, other) => one.rank - other.rank || one.userId - other.userId);
}

async function store(
  sessionId: number,
  played: readonly Played[],
  { here, everywhere }: Exclusions,
): Promise<void> {
  const rows = played.map(({ player, event, netCents }) => ({ u: userIds[player], e: event, n: netCents }));
  const out = [
    ...here.map((player) => ({ userId: userIds[player] ?? 0, sessionId })),
    ...everywhere.map((player) => ({ userId: userIds[player] ?? 0, sessionId: null })),
  ];
  await inTransaction(db, async (tx) => {
    await tx.execute(sql`DELETE FROM results`);
    await tx.execute(sql`DELETE FROM scores`);
    await tx.delete(exclusions);
    await tx.execute(sql`
      INSERT INTO results SELECT ${sessionId} * 10 + e, u, ${sessionId}, game_now() + e * interval '1 minute', 1, n, 100,
        100 + n, false
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r(u bigint, e int, n bigint)`);
    await tx.execute(sql`
      INSERT INTO scores SELECT user_id, scope, count(*), count(*) FILTER (WHERE net_cents > 0),
        count(*) FILTER (WHERE net_cents < 0), 0, count(*), sum(net_cents), 100, 100, 0, 0, max(resolved_at), 1, false
      FROM results, (VALUES (NULL), (${sessionId}::bigint)) AS scopes(scope) GROUP BY user_id, scope`);
    if (out.length > 0) {
      const [excludedById = 0] = userIds;
      await tx
        .insert(exclusions)
        .values(out.map((row) => ({ ...row, reason: "Played twice", excludedById })));
    }
    await recordChange(tx, sessionId);
  });
}

test("ranks, ties and changes of rank match a plain computation, in a session and overall", async () => {
  await fc.assert(
    fc.asyncProperty(plays, excludedPlayers, async (played, out) => {
      const { id } = await build.session();
      await store(id, played, out);
      for (const sessionId of [id, null]) {
        const excludedHere = [...out.everywhere, ...(sessionId === null ? [] : out.here)];
        const last = Math.max(...played.map(({ event }) => event));
        const counted = played.filter(({ player }) => !excludedHere.includes(player));
        // The last event stays the last one even if its players are excluded.
        const table = expected(counted, last);
        const { scores, totalCount } = await findScores(deps, { sessionId, limit: 100, offset: 0 });
        expect(
          scores.map(({ userId, rank, tied, rankChange }) => ({ userId, rank, tied, rankChange })),
        ).toEqual(table);
        expect(totalCount).toBe(table.length);
        const page = await findScores(deps, { sessionId, limit: 2, offset: 3 });
        expect(page).toEqual({ scores: scores.slice(3, 5), totalCount });
      }
    }),
    { numRuns: 30 },
  );
});

const CALLS = 900;
const PART = 50;
const admin = await build.admin();

async function buildPaid(): Promise<number> {
  const { event } = await buildLargeEvent(deps, CALLS);
  await by(admin).resolve(event.id);
  await timer.pay();
  return event.id;
}

test("a part of a correction reads the rows of its own players, however many have called the event", async () => {
  // The planner knows an earlier event, and takes this one for small.
  await buildPaid();
  await db.execute(sql`ANALYZE results, scores`);
  const eventId = await buildPaid();
  await by(admin).resolve(eventId, "false", { reason: "The replay" });
  await inTransaction(db, async (tx) => {
    const part = await paySettlementPart(tx, eventId, { callsMax: PART });
    const [from, to] = [part?.players[0]?.userId ?? 0, part?.players.at(-1)?.userId ?? 0];
    expect(part?.callsCount).toBe(PART);
    await updateScores(tx, eventId, { from, to });
    const [{ rows }] = v.parse(v.tuple([v.object({ rows: wholeNumber })]), [
      ...(await tx.execute(sql`SELECT sum(seq_tup_read + idx_tup_fetch)::bigint AS rows FROM pg_stat_xact_user_tables
        WHERE relname IN ('results', 'scores')`)),
    ]);
    expect(rows).toBeLessThan(20 * PART);
  });
});
