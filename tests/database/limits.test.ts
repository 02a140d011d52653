import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { cancelCall } from "#db/ledger/cancel-call.ts";
import { queryRow, wholeNumber } from "#db/ledger/query.ts";
import {
  ADJUSTMENT_MAX_CENTS,
  CANCEL_BEFORE_CLOSE_MS,
  CANCEL_BEFORE_PAUSE_MS,
  HOUSE_DOLLAR_CENTS,
  ROBOT_ALLOWANCE_CENTS,
  TOP_UP_TO_CENTS,
  WAGER_MAX_CENTS,
  WELCOME_CENTS,
} from "#db/lists/limits.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import { refusalCodeOf } from "#tests/ledger/books.ts";
import { buildCall, buildOpenEvent, buildPlayer, buildSession, placeCall } from "#tests/ledger/fixtures.ts";
import { adjustWithAudit } from "#tests/support/adjust.ts";
import { asApplication } from "#tests/support/application.ts";
import { buildAdmin, buildPlayer as buildWalletOwner } from "#tests/support/build.ts";
import { runClock, stopClockAt, testDatabase } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";

// The functions of db/sql write these limits once more. Those that are in a CHECK need no test of their own: the CHECK is made from
// the limit, and the migrations are compared with the schema.

const { pool } = await testDatabase();
const player = await buildPlayer(pool);
const now = new Date();

test.each([
  [CANCEL_BEFORE_CLOSE_MS, true],
  [CANCEL_BEFORE_CLOSE_MS - 1, false],
])(
  "%d ms before the close the API says of a call whether the database cancels it: %p",
  async (closesInMs, isCancelled) => {
    await stopClockAt(pool, now);
    try {
      const event = await buildOpenEvent(pool, { closesInMs });
      const callId = await buildCall(pool, { userId: player, spotId: event.trueSpot });
      await expectCancellable(callId, isCancelled);
    } finally {
      await runClock(pool);
    }
  },
);

test.each([
  [CANCEL_BEFORE_PAUSE_MS, true],
  [CANCEL_BEFORE_PAUSE_MS + 1, false],
])(
  "of a call %d ms before a pause the API says during it whether the database cancels it: %p",
  async (beforeMs, isCancelled) => {
    await stopClockAt(pool, now);
    try {
      const sessionId = await buildSession(pool);
      const event = await buildOpenEvent(pool, { sessionId, closesInMs: 600_000 });
      const callId = await buildCall(pool, { userId: player, spotId: event.trueSpot });
      const pausedAt = new Date(now.getTime() + beforeMs).toISOString();
      await pool.db.execute(
        sql`UPDATE sessions SET state = 'paused', paused_at = ${pausedAt} WHERE id = ${sessionId}`,
      );
      await expectCancellable(callId, isCancelled);
      if (isCancelled) return;
      await pool.db.execute(
        sql`UPDATE sessions SET state = 'running', paused_at = NULL WHERE id = ${sessionId}`,
      );
      await expectCancellable(callId, true);
    } finally {
      await runClock(pool);
    }
  },
);

/** What the API says, what the database does, and that a refusal has changed nothing. */
async function expectCancellable(callId: number, isCancelled: boolean): Promise<void> {
  const read = async () => (await findCallViews(pool.db, { callIds: [callId] }, now))[0];
  const shown = await read();
  expect(shown).toMatchObject({ state: "placed", cancellable: isCancelled });
  const cancel = () => cancelCall(pool.db, { userId: player, callId });
  if (isCancelled) {
    expect(await cancel()).toMatchObject({ callId });
    expect(await read()).toMatchObject({ state: "soft_destroyed", cancellable: false });
  } else {
    expect(await refusalCodeOf(pool, cancel)).toBe("wrong_state");
    expect(await read()).toEqual(shown);
  }
}

test("the database refuses a wager above the maximum, and none below", async () => {
  const event = await buildOpenEvent(pool);
  const codeOf = async (wagerCents: number) =>
    (await placeCall(pool, { userId: player, spotId: event.trueSpot, wagerCents })).code;
  expect(await codeOf(WAGER_MAX_CENTS)).toBe("insufficient");
  expect(await codeOf(WAGER_MAX_CENTS + 1)).toBe("over_max");
});

test("the database refuses an adjustment of the application above the maximum, and none below", async () => {
  const owner = await testDeps();
  const { db } = asApplication(owner).pool;
  const [{ id: userId }, { id: actorId }] = [await buildWalletOwner(owner), await buildAdmin(owner)];
  const adjust = (amountCents: number) => {
    const idempotencyKey = `adjusted-${amountCents}`;
    return adjustWithAudit(db, { userId, amountCents, idempotencyKey, actorId, reason: "Counted" });
  };
  for (const sign of [1, -1]) {
    await adjust(sign * ADJUSTMENT_MAX_CENTS);
    expect(await refusalCodeOf(pool, () => adjust(sign * (ADJUSTMENT_MAX_CENTS + 1)))).toBe("invalid_amount");
  }
});

test("the database grants as much play money as the program gives", async () => {
  const noon = new Date(`${now.toISOString().slice(0, 10)}T12:00:00Z`);
  const day = noon.toISOString().slice(0, 10);
  const keys = {
    welcome: "welcome-%",
    account: "welcome-account-%",
    topUp: `top-up-%-${day}`,
    robot: "robot-%-1",
  };
  const maxOf = async (key: string, userId: number) => {
    const named = `grant-${key.replace("%", String(userId))}`;
    const max = sql`SELECT grant_max(${named}, ${userId}, ${noon.toISOString()}) AS max`;
    return (await queryRow(pool.db, v.object({ max: wholeNumber }), max)).max;
  };
  const NEW_PLAYER = 1_000_000;
  expect(await maxOf(keys.welcome, NEW_PLAYER)).toBe(WELCOME_CENTS);
  expect(await maxOf(keys.account, NEW_PLAYER)).toBe(WELCOME_CENTS);
  expect(await maxOf(keys.topUp, NEW_PLAYER)).toBe(TOP_UP_TO_CENTS);
  const { trueSpot: spotId } = await buildOpenEvent(pool);
  const broke = async (wagerCents: number) =>
    (await placeCall(pool, { userId: await buildPlayer(pool, 0), spotId, wagerCents })).code;
  expect(await broke(HOUSE_DOLLAR_CENTS + 1)).toBe("insufficient");
  expect(await broke(HOUSE_DOLLAR_CENTS)).toBe("placed");
  // The fixture's player is a robot.
  expect(await maxOf(keys.robot, player)).toBe(ROBOT_ALLOWANCE_CENTS);
});
