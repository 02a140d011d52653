import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import {
  buildOpenEvent,
  buildPlayer,
  buildSession,
  type BuiltEvent,
  closeEvent,
  unique,
} from "#tests/ledger/fixtures.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, read, refused } = await testWorld();

const key = () => `key-${unique()}`;

async function stateOf(userId: number) {
  const { availableCents, heldCents } = await read.wallet(userId);
  return { availableCents, heldCents, calls: await db.$count(calls, eq(calls.userId, userId)) };
}

/** Places calls of 1.00 on True by a new player, unless the call says otherwise. */
async function callerOn({ trueSpot }: BuiltEvent, balanceCents = 10_000) {
  const viewer = { id: await buildPlayer(deps.pool, balanceCents) };
  const place = (call: Partial<Parameters<typeof placeCall>[1]> = {}) =>
    placeCall(deps, { viewer, spotId: trueSpot, wagerCents: 100, idempotencyKey: key(), ...call });
  return { viewer, place };
}

const endNow = ({ id }: BuiltEvent) =>
  db.execute(sql`UPDATE events SET closes_at = game_now() - interval '140 ms' WHERE id = ${id}`);
const wrongState = { spot: ["has wrong state"] };

/** Each reason of the ledger, whose tests say when it refuses for which, in words. */
const closed: [
  what: string,
  close: (event: BuiltEvent) => Promise<unknown>,
  code: string,
  detail: RegExp | string,
][] = [
  ["after the close on the database's clock", endNow, "late", /^Call was \d+\.\d\d s late$/],
  [
    "after a host closed early, before the planned close",
    (event) => closeEvent(deps.pool, event),
    "invalid_spot_state",
    "This side has wrong state: the event takes no calls now.",
  ],
  [
    "during a pause",
    ({ sessionId }) =>
      db.execute(sql`UPDATE sessions SET state = 'paused', paused_at = game_now() WHERE id = ${sessionId}`),
    "paused",
    /./,
  ],
];

test.each(closed)(
  "a call %s is refused with that reason, and nothing changes",
  async (_, close, code, detail) => {
    const event = await buildOpenEvent(deps.pool, { sessionId: await buildSession(deps.pool) });
    const { place } = await callerOn(event);
    await close(event);
    const refusal = await refused(() => place());
    expect(refusal).toMatchObject({ status: 422, code, details: { errors: wrongState } });
    expect(refusal.details.detail).toMatch(detail);
  },
);

test("the limits are stated in dollars; the maximum counts the player's earlier calls on the event", async () => {
  const { place } = await callerOn(
    await buildOpenEvent(deps.pool, { minWagerCents: 50, maxWagerCents: 500 }),
  );
  await place({ wagerCents: 300 });
  const below = await refused(() => place({ wagerCents: 49 }));
  const above = await refused(() => place({ wagerCents: 201 }));
  expect(below.details.errors).toEqual({ wager: ["must be greater than or equal to 0.5"] });
  expect(above.details.errors).toEqual({ wager: ["must be less than or equal to 5"] });
});

test("a call that fails the statement of its batch fails alone", async () => {
  const { viewer, place } = await callerOn(await buildOpenEvent(deps.pool));
  // The first runs alone; the others wait for it and share a batch. Postgres rejects a NUL in a text.
  const results = await Promise.allSettled([place(), place({ idempotencyKey: "bad\u0000key" }), place()]);
  expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await stateOf(viewer.id)).toMatchObject({ heldCents: 200, calls: 2 });
});
