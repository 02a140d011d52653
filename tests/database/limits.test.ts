import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
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
import { teamNumbers } from "#db/lists/teams.ts";
import { bookChecks } from "#db/schema/books.ts";
import { outbox } from "#db/schema/outbox.ts";
import { registrations } from "#db/schema/sessions.ts";
import { pruneTable } from "#jobs/schedule.ts";
import { pruneSent } from "#src/base/outbox/outbox-rows.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import { refusalCodeOf } from "#tests/ledger/books.ts";
import { buildCall, buildOpenEvent, buildPlayer, buildSession, placeCall } from "#tests/ledger/fixtures.ts";
import { adjustWithAudit } from "#tests/support/adjust.ts";
import { asApplication } from "#tests/support/application.ts";
import {
  buildAdmin,
  buildPlayer as buildWalletOwner,
  buildSession as buildShow,
} from "#tests/support/build.ts";
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
    return (await queryRow(pool.db, v.object({ max: wholeNumber }))`${max}`).max;
  };
  const NEW_PLAYER = 1_000_000;
  expect(await maxOf(keys.welcome, NEW_PLAYER)).toBe(WELCOME_CENTS);
  expect(await maxOf(keys.account, NEW_PLAYER)).toBe(WELCOME_CENTS);
  expect(await maxOf(keys.topUp, NEW_PLAYER)).toBe(TOP_UP_TO_CENTS);
  const { trueSpot: spotId } = await buildOpenEvent(pool);
  const broke = async (wagerCents: number) =>
    (await placeCall(pool, { userId: await buildPlayer(pool, 0), spotId, wagerCents, onTheHouse: true }))
      .code;
  expect(await broke(HOUSE_DOLLAR_CENTS + 1)).toBe("insufficient");
  expect(await broke(HOUSE_DOLLAR_CENTS)).toBe("placed");
  // The fixture's player is a robot.
  expect(await maxOf(keys.robot, player)).toBe(ROBOT_ALLOWANCE_CENTS);
});

test("the database puts players into as many teams as a session may have", async () => {
  const owner = await testDeps();
  const teams = Array.from({ length: teamNumbers.max }, (_, index) => `Team ${index + 1}`);
  const { id: sessionId } = await buildShow(owner, { settings: { teams } });
  for (const displayName of teams)
    await owner.pool.db
      .insert(registrations)
      .values({ sessionId, displayName, userId: (await buildWalletOwner(owner)).id });
  const rows = await owner.pool.db.select({ team: registrations.team }).from(registrations);
  expect(rows.map(({ team }) => Number(team)).toSorted((one, other) => one - other)).toEqual(
    teams.map((_, index) => index + 1),
  );
});

test("the database lets the application delete what the program prunes, and nothing younger", async () => {
  const owner = await testDeps();
  const { pool: application } = asApplication(owner);
  const check = (age: string, differencesCount: number) =>
    owner.pool.db.insert(bookChecks).values({
      checkedAt: sql`clock_timestamp() - ${age}::interval`,
      durationMs: 1,
      findings: [],
      differencesCount,
    });
  const checks: [age: string, differences: number][] = [
    ["7 days -1 minute", 0],
    ["7 days 1 minute", 0],
    ["90 days -1 minute", 1],
    ["90 days 1 minute", 1],
  ];
  for (const [age, differences] of checks) await check(age, differences);
  await pruneTable({ pool: application }, bookChecks);
  expect(await owner.pool.db.$count(bookChecks)).toBe(2);
  for (const differencesCount of [0, 1])
    expect(
      await application.db
        .delete(bookChecks)
        .where(eq(bookChecks.differencesCount, differencesCount))
        .catch(() => "refused"),
    ).toBe("refused");
  const fact = (age: string) =>
    owner.pool.db
      .insert(outbox)
      .values({ kind: "avatar_changed", payload: {}, sentAt: sql`clock_timestamp() - ${age}::interval` });
  await fact("61 minutes");
  await fact("49 minutes");
  await pruneSent(application.db);
  expect(await owner.pool.db.$count(outbox)).toBe(1);
  expect(await application.db.delete(outbox).catch(() => "refused")).toBe("refused");
  expect([await owner.pool.db.$count(bookChecks), await owner.pool.db.$count(outbox)]).toEqual([2, 1]);
});
