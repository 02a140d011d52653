import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { cancelCall } from "#db/ledger/cancel-call.ts";
import { queryRow, wholeNumber } from "#db/ledger/query.ts";
import {
  CANCEL_BEFORE_CLOSE_MS,
  ROBOT_ALLOWANCE_CENTS,
  TOP_UP_TO_CENTS,
  WAGER_MAX_CENTS,
  WELCOME_CENTS,
} from "#db/lists/limits.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import { refusalCodeOf } from "#tests/ledger/books.ts";
import { buildCall, buildOpenEvent, buildPlayer, placeCall } from "#tests/ledger/fixtures.ts";
import { runClock, stopClockAt, testDatabase } from "#tests/support/database.ts";

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
      const [shown] = await findCallViews(pool.db, { callIds: [callId] }, now);
      expect(shown?.cancellable).toBe(isCancelled);
      const cancel = () => cancelCall(pool.db, { userId: player, callId });
      if (isCancelled) expect(await cancel()).toMatchObject({ callId });
      else expect(await refusalCodeOf(pool, cancel)).toBe("wrong_state");
    } finally {
      await runClock(pool);
    }
  },
);

test("the database refuses a wager above the maximum, and none below", async () => {
  const event = await buildOpenEvent(pool);
  const codeOf = async (wagerCents: number) =>
    (await placeCall(pool, { userId: player, spotId: event.trueSpot, wagerCents })).code;
  expect(await codeOf(WAGER_MAX_CENTS)).toBe("insufficient");
  expect(await codeOf(WAGER_MAX_CENTS + 1)).toBe("over_max");
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
  // The fixture's player is a robot.
  expect(await maxOf(keys.robot, player)).toBe(ROBOT_ALLOWANCE_CENTS);
});
