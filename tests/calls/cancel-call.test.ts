import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { Refusal } from "#src/base/refusal.ts";
import { cancelCall } from "#src/calls/cancel-call.ts";
import { buildOpenEvent, buildPlayer, closeEvent, placed } from "#tests/ledger/stage.ts";
import { readWallet } from "#tests/support/books.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();

async function stateOf(callId: number) {
  const [call] = await deps.pool.db.select({ state: calls.state }).from(calls).where(eq(calls.id, callId));
  return call?.state;
}

async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const refused: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (refused instanceof Refusal) return refused;
  throw new Error("it was not refused", { cause: refused });
}

test("an own call is taken back while its event is open, and again without effect", async () => {
  const event = await buildOpenEvent(deps.pool);
  const userId = await buildPlayer(deps.pool);
  const callId = await placed(deps.pool, { userId, spotId: event.trueSpot, wagerCents: 700 });

  await cancelCall(deps, { viewer: { id: userId }, callId });
  await cancelCall(deps, { viewer: { id: userId }, callId });

  expect(await stateOf(callId)).toBe("soft_destroyed");
  expect(await readWallet(deps.pool.db, userId)).toMatchObject({ availableCents: 10_000, heldCents: 0 });
});

test("somebody else's call is not found and stays", async () => {
  const event = await buildOpenEvent(deps.pool);
  const [owner, other] = [await buildPlayer(deps.pool), await buildPlayer(deps.pool)];
  const callId = await placed(deps.pool, { userId: owner, spotId: event.trueSpot });

  const refusal = await refusalOf(cancelCall(deps, { viewer: { id: other }, callId }));

  expect(refusal).toMatchObject({ status: 404, code: "not_found" });
  expect(await stateOf(callId)).toBe("placed");
});

test("less than 5 seconds before the close, or after it, a call stays where it is", async () => {
  const event = await buildOpenEvent(deps.pool);
  const userId = await buildPlayer(deps.pool);
  const callId = await placed(deps.pool, { userId, spotId: event.trueSpot, wagerCents: 100 });
  const order = { viewer: { id: userId }, callId };
  const message = { state: ['cannot transition via "Destroy"'] };

  await deps.pool.db.execute(
    sql`UPDATE events SET closes_at = game_now() + interval '4.9 s' WHERE id = ${event.id}`,
  );
  expect((await refusalOf(cancelCall(deps, order))).details.errors).toEqual(message);
  expect(await stateOf(callId)).toBe("placed");

  await closeEvent(deps.pool, event);
  expect((await refusalOf(cancelCall(deps, order))).details.errors).toEqual(message);
  expect(await stateOf(callId)).toBe("closed");
  expect(await readWallet(deps.pool.db, userId)).toMatchObject({ availableCents: 9_900, heldCents: 100 });
});
