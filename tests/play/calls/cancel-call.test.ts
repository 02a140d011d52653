import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { buildOpenEvent, buildPlayer, closeEvent, buildCall } from "#tests/ledger/fixtures.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";

const { deps, db, read, runClock, stopClockAt } = await testWorld();

async function stateOf(callId: number) {
  const [call] = await db.select({ state: calls.state }).from(calls).where(eq(calls.id, callId));
  return call?.state;
}

test("a call cannot be cancelled from 5 seconds before the close", async () => {
  const event = await buildOpenEvent(deps.pool);
  const userId = await buildPlayer(deps.pool);
  const callId = await buildCall(deps.pool, { userId, spotId: event.trueSpot, wagerCents: 100 });
  const order = { viewer: { id: userId }, callId };
  const errors = { state: ['cannot transition via "Destroy"'] };

  await stopClockAt(new Date());
  await db.execute(sql`UPDATE events SET closes_at = game_now() + interval '4.9 s' WHERE id = ${event.id}`);
  expect((await refusalOf(cancelCall(deps, order))).details).toEqual({
    errors,
    detail: "A call can be taken back until 5 seconds before its event closes.",
  });
  expect(await stateOf(callId)).toBe("placed");
  await runClock();

  await closeEvent(deps.pool, event);
  expect((await refusalOf(cancelCall(deps, order))).details).toEqual({
    errors,
    detail: "Its event has closed, so the call stands.",
  });
  expect(await stateOf(callId)).toBe("closed");
  expect(await read.wallet(userId)).toMatchObject({ availableCents: 9_900, heldCents: 100 });
});
