import { expect, test } from "bun:test";
import { inTransaction } from "#db/client.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { findLeaders, findScores } from "#src/play/leaderboard/find-scores.ts";
import { updateScores } from "#src/play/leaderboard/update-scores.ts";
import {
  buildOpenEvent,
  buildPlayer,
  buildSession,
  closeAndResolve,
  buildCall,
  type Result,
} from "#tests/ledger/fixtures.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db } = await testWorld();

/** Plays one event with wagers of [user id, side, cents], and resolves it. */
async function play(sessionId: number, result: Result, wagers: [number, "true" | "false", number][]) {
  const event = await buildOpenEvent(deps.pool, { sessionId });
  for (const [userId, side, wagerCents] of wagers) {
    const spotId = side === "true" ? event.trueSpot : event.falseSpot;
    await buildCall(deps.pool, { userId, spotId, wagerCents });
  }
  await closeAndResolve(deps.pool, event, result);
  await deps.pool.sql`UPDATE events SET resolved_at = game_now() WHERE id = ${event.id}`;
  await inTransaction(db, (tx) => updateScores(tx, event.id));
}

const pairs = <Item>(items: readonly Item[]): [Item, Item][] =>
  items.slice(1).flatMap((below, index) => {
    const above = items[index];
    return above === undefined ? [] : [[above, below]];
  });

async function threePlayers(): Promise<[number, number, number]> {
  return [await buildPlayer(deps.pool), await buildPlayer(deps.pool), await buildPlayer(deps.pool)];
}

test("an event counts once, by the player's net on it, however the wager is split", async () => {
  const sessionId = await buildSession(deps.pool);
  const [ana, ben, cleo] = await threePlayers();
  await play(sessionId, "true", [
    [ana, "true", 100],
    [ana, "true", 100],
    [ana, "true", 100],
    [ben, "true", 100],
    [ben, "false", 300],
    [cleo, "true", 100],
    [cleo, "false", 80],
  ]);

  const { leaders } = await findLeaders(deps, { sessionId, limit: 10, viewerId: null });

  const summaries = leaders.map(({ userId, wins, losses, pushes, rank }) => ({
    userId,
    wins,
    losses,
    pushes,
    rank,
  }));
  expect(summaries).toEqual([
    { userId: ana, wins: 1, losses: 0, pushes: 0, rank: 1 },
    { userId: cleo, wins: 0, losses: 1, pushes: 0, rank: 2 },
    { userId: ben, wins: 0, losses: 1, pushes: 0, rank: 3 },
  ]);
  expect(leaders.reduce((sum, score) => sum + score.netCents, 0)).toBe(0);
});

test("a void keeps the streak and is neither won nor lost; wallet and leaders agree", async () => {
  const sessionId = await buildSession(deps.pool);
  const [ana, ben] = await threePlayers();
  const both: [number, "true" | "false", number][] = [
    [ana, "true", 100],
    [ben, "false", 100],
  ];
  for (const result of ["false", "true", "true", "void", "true"] as const)
    await play(sessionId, result, both);

  const { leaders } = await findLeaders(deps, { sessionId, limit: 10, viewerId: ana });
  const wallet = await findWalletView(db, ana);

  expect(leaders.map((score) => score.userId)).toEqual([ana, ben]);
  expect(leaders[0]).toMatchObject({
    wins: 3,
    losses: 1,
    pushes: 1,
    net: 2,
    roi: 0.5,
    accuracy: 0.75,
    currentStreak: 3,
    bestStreak: 3,
  });
  expect(leaders[1]).toMatchObject({ wins: 1, losses: 3, currentStreak: 0, bestStreak: 1, net: -2 });
  expect(wallet).toMatchObject({ balance: 102, availableBalance: 102, held: 0, owed: 0 });
  expect(wallet.metrics).toEqual({
    wagered: 4,
    wageredCents: 400,
    returned: 6,
    returnedCents: 600,
    net: 2,
    netCents: 200,
    roi: 0.5,
    pending: 0,
    pendingCents: 0,
    callsPlaced: 5,
    won: 3,
    lost: 1,
    refunded: 1,
    winRate: 0.75,
    currentStreak: 3,
    bestStreak: 3,
  });
});

test("equal scores share a rank; the change of rank is since the last result of the session", async () => {
  const sessionId = await buildSession(deps.pool);
  const [ana, ben, cleo] = await threePlayers();
  const dora = await buildPlayer(deps.pool);
  await play(sessionId, "true", [
    [ana, "true", 200],
    [dora, "false", 200],
  ]);
  const first = await findLeaders(deps, { sessionId, limit: 10, viewerId: null });
  expect(first.leaders.map((score) => score.rankChange)).toEqual([null, null]);

  await play(sessionId, "false", [
    [ana, "true", 300],
    [ben, "true", 100],
    [cleo, "true", 100],
    [dora, "false", 500],
  ]);
  const { leaders, totalCount } = await findLeaders(deps, { sessionId, limit: 10, viewerId: null });

  expect(totalCount).toBe(4);
  expect(leaders.map(({ userId, rank, tied, rankChange }) => ({ userId, rank, tied, rankChange }))).toEqual([
    { userId: dora, rank: 1, tied: false, rankChange: 1 },
    { userId: ana, rank: 2, tied: false, rankChange: -1 },
    { userId: ben, rank: 3, tied: true, rankChange: null },
    { userId: cleo, rank: 3, tied: true, rankChange: null },
  ]);
});

test("the viewer's own score is included below the limit; each page continues the last one", async () => {
  const sessionId = await buildSession(deps.pool);
  const [ana, ben, cleo] = await threePlayers();
  await play(sessionId, "true", [
    [ana, "true", 200],
    [ben, "false", 100],
    [cleo, "false", 200],
  ]);

  const { leaders, me } = await findLeaders(deps, { sessionId, limit: 1, viewerId: cleo });
  expect(leaders.map((score) => score.userId)).toEqual([ana]);
  expect(me).toMatchObject({ userId: cleo, rank: 3 });

  const second = await findScores(deps, { sessionId, limit: 2, offset: 2 });
  expect(second.scores.map((score) => score.userId)).toEqual([cleo]);
  expect(second.totalCount).toBe(3);
  const behind = await findScores(deps, { sessionId, limit: 2, offset: 4 });
  expect(behind).toEqual({ scores: [], totalCount: 3 });
});

test("without a session all players of any session are ranked", async () => {
  const one = await findLeaders(deps, { sessionId: null, limit: 100, viewerId: null });
  expect(one.totalCount).toBe(one.leaders.length);
  expect(one.leaders.length).toBeGreaterThanOrEqual(10);
  for (const [above, below] of pairs(one.leaders)) {
    const order =
      below.losses - above.losses === 0 ? above.netCents - below.netCents : below.losses - above.losses;
    expect(above.wins > below.wins || (above.wins === below.wins && order >= 0)).toBe(true);
  }
});
