import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { inTransaction } from "#db/client.ts";
import { exclusions } from "#db/schema/exclusions.ts";
import { users } from "#db/schema/users.ts";
import { findScores } from "#src/leaderboard/find-scores.ts";
import { recordChange } from "#src/leaderboard/record-change.ts";
import { buildSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";

const PLAYERS = 40;
/** Many small tables, on a machine that may be busy. */
const SLOW_MS = 30_000;

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

/** What one player made of one event, in cents. */
type Played = { player: number; event: number; netCents: number };

/** Few events and nets, so that many are equal. */
const plays = fc.uniqueArray(
  fc.record({
    player: fc.nat(PLAYERS - 1),
    event: fc.nat(3),
    netCents: fc.constantFrom(-100, -50, 0, 50, 100),
  }),
  { minLength: 1, maxLength: 120, selector: ({ player, event }) => `${player} ${event}` },
);

/** Who is not ranked in the session, and who in no table. */
const outs = fc.record({
  here: fc.uniqueArray(fc.nat(PLAYERS - 1), { maxLength: 4 }),
  everywhere: fc.uniqueArray(fc.nat(PLAYERS - 1), { maxLength: 4 }),
});
type Outs = { here: readonly number[]; everywhere: readonly number[] };

type Sums = { player: number; wins: number; losses: number; netCents: number };

/** The table by counting, without any database. */
function tableOf(played: readonly Played[]): Sums[] {
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

/** What a table must say of everybody in it, by player. */
function expected(played: readonly Played[], last: number) {
  const now = tableOf(played);
  const before = tableOf(played.filter(({ event }) => event !== last));
  return now
    .map(({ player }) => {
      const rank = formatRank(now, player) ?? 0;
      const rankBefore = formatRank(before, player);
      const sharing = now.filter((sums) => formatRank(now, sums.player) === rank);
      return {
        userId: userIds[player] ?? 0,
        rank,
        tied: sharing.length > 1,
        rankChange: rankBefore === null ? null : rankBefore - rank,
      };
    })
    .toSorted((one, other) => one.rank - other.rank || one.userId - other.userId);
}

async function store(
  sessionId: number,
  played: readonly Played[],
  { here, everywhere }: Outs,
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
  "ranks, ties and changes of rank are what counting says, in a session and over all",
  async () => {
    await fc.assert(
      fc.asyncProperty(plays, outs, async (played, out) => {
        const { id } = await buildSession(deps);
        await store(id, played, out);
        for (const sessionId of [id, null]) {
          const gone = [...out.everywhere, ...(sessionId === null ? [] : out.here)];
          const last = Math.max(...played.map(({ event }) => event));
          const seen = played.filter(({ player }) => !gone.includes(player));
          // The last event stays the last one, whoever of its players is not ranked.
          const table = expected(seen, last);
          const { scores, totalCount } = await findScores(deps.pool.db, { sessionId, limit: 100, offset: 0 });
          expect(
            scores.map(({ userId, rank, tied, rankChange }) => ({ userId, rank, tied, rankChange })),
          ).toEqual(table);
          expect(totalCount).toBe(table.length);
          const page = await findScores(deps.pool.db, { sessionId, limit: 2, offset: 3 });
          expect(page).toEqual({ scores: scores.slice(3, 5), totalCount });
        }
      }),
      { numRuns: 30 },
    );
  },
  SLOW_MS,
);
