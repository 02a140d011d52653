import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { inTransaction } from "#db/client.ts";
import { exclusions } from "#db/schema/exclusions.ts";
import { users } from "#db/schema/users.ts";
import { recordChange } from "#src/base/outbox/record-leaderboard-change.ts";
import { findScores } from "#src/play/leaderboard/find-scores.ts";
import { buildSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";

const PLAYERS = 40;
/** Many small leaderboards; the timeout allows for a busy machine. */
const SLOW_MS = 180_000;

const deps = await testDeps();
const rows = await deps.pool.db
  .insert(users)
  .values(
    Array.from({ length: PLAYERS }, (_, index) => ({
      username: `p_${index}`,
      email: `p${index}@example.test`,
    })),
  )
  .returning();
const userIds = rows.map(({ id }) => id);

/** One player's net on one event. */
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
  await inTransaction(deps.pool.db, async (tx) => {
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

test(
  "ranks, ties and changes of rank match a plain computation, in a session and overall",
  async () => {
    await fc.assert(
      fc.asyncProperty(plays, excludedPlayers, async (played, out) => {
        const { id } = await buildSession(deps);
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
  },
  SLOW_MS,
);
