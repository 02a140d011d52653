import { expect, test } from "bun:test";
import { inTransaction } from "#db/client.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { findLeaders } from "#src/play/leaderboard/find-scores.ts";
import { updateScores } from "#src/play/leaderboard/repair-scores.ts";
import {
  buildCall,
  buildOpenEvent,
  buildPlayer,
  buildSession,
  closeAndResolve,
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
