import { expect } from "bun:test";
import { readWallets } from "#db/ledger/read-wallet.ts";
import { compareScores } from "#src/play/leaderboard/repair-scores.ts";
import { paySettlement } from "#src/play/settlements/pay-settlement.ts";
import { listDifferences } from "#tests/support/books.ts";
import {
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  type BuiltUser,
} from "#tests/support/build.ts";
import type { TestDeps } from "#tests/support/deps.ts";
import { toldTo } from "#tests/support/rows.ts";

/** An open event of a running session, with the players who have called on it. */
export type LargeEvent = {
  eventId: number;
  sessionId: number;
  players: [BuiltUser, BuiltUser, BuiltUser, BuiltUser];
};

/** The first three players have 1.00 on True, the fourth 3.00 on False. A part is two players; the last two come first. */
export async function buildLargeEvent(deps: TestDeps): Promise<LargeEvent> {
  const players: LargeEvent["players"] = [
    await buildPlayer(deps),
    await buildPlayer(deps),
    await buildPlayer(deps),
    await buildPlayer(deps),
  ];
  const { id: sessionId } = await buildRunningSession(deps);
  const { id: eventId } = await buildEvent(deps, "open", { sessionId });
  for (const [index, { id: userId }] of players.entries()) {
    const stake = index < 3 ? { side: "true" as const } : { side: "false" as const, wagerCents: 300 };
    await buildCall(deps, { userId, eventId, ...stake });
  }
  return { eventId, sessionId, players };
}

/** The posted and held cents of the players' wallets, in the order of the players. */
export async function readWalletsOf({ pool }: TestDeps, { players }: LargeEvent) {
  const wallets = await readWallets(
    pool.db,
    players.map(({ id }) => id),
  );
  const own = players.map(({ id }) => wallets.find(({ userId }) => userId === id));
  return { posted: own.map((wallet) => wallet?.postedCents), held: own.map((wallet) => wallet?.heldCents) };
}

export async function payOnePart(deps: TestDeps, { eventId }: LargeEvent): Promise<void> {
  expect(await paySettlement(deps, eventId, { budgetMs: 0 })).toBe("unfinished");
}

export async function notificationsOf({ pool }: TestDeps, { id }: BuiltUser) {
  const rows = await toldTo(pool.db, id);
  return rows.map(({ kind, title, body }) => ({ kind, text: `${title}. ${body}` }));
}

export async function expectBooksToAgree({ pool }: TestDeps): Promise<void> {
  expect(await listDifferences(pool.db)).toEqual([]);
  const { results, scores } = await compareScores(pool.db);
  expect({ results, scores }).toEqual({ results: 0, scores: 0 });
}
