import { expect, test } from "bun:test";
import { inTransaction } from "#db/client.ts";
import { grantPlayMoney } from "#db/ledger/grant-play-money.ts";
import { lockForGrant } from "#db/ledger/locks.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { unique, testLedger } from "./fixtures.ts";
import { readHouseGrants } from "./house-grants.ts";

// A player without money calls with the house's dollar, at the same time as others, on two devices, and while money comes from elsewhere.

const ledger = await testLedger({ poolSize: 4 });
const { pool, db } = ledger;

afterTest(() => ledger.expectToAgree());

const givenTo = (userId: number) => readHouseGrants(pool, userId);

test("two devices, two questions and one batch get one dollar", async () => {
  const [one, two] = [await ledger.player(0), await ledger.player(60)];
  const [event, other] = [await ledger.openEvent(), await ledger.openEvent()];
  const callOf = (userId: number, spotId: number, wagerCents = 100) => ({
    userId,
    spotId,
    wagerCents,
    idempotencyKey: `key-${unique()}`,
    onTheHouse: true,
  });
  const batch = await placeCalls(pool, [
    callOf(one, event.trueSpot),
    callOf(two, event.trueSpot, 60),
    callOf(one, other.trueSpot),
    callOf(two, other.trueSpot),
    callOf(one, event.falseSpot, 1),
  ]);
  expect(batch.map(({ code }) => code)).toEqual([
    "placed",
    "placed",
    "insufficient",
    "insufficient",
    "insufficient",
  ]);
  expect([await givenTo(one), await givenTo(two)]).toEqual([100, 0]);
  const three = await ledger.player(0);
  const race = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      ledger.place({ userId: three, spotId: (n % 2 === 0 ? event : other).trueSpot, onTheHouse: true }),
    ),
  );
  expect(race.filter(({ code }) => code === "placed")).toHaveLength(1);
  expect(await ledger.balances(three)).toEqual([100, 100, 0]);
});

test("many players without money call at once, and each gets a dollar", async () => {
  const players = await Promise.all(Array.from({ length: 24 }, () => ledger.player(0)));
  const event = await ledger.openEvent();
  const codes = await Promise.all(
    players.map((userId, n) =>
      ledger.place({ userId, spotId: n % 3 === 0 ? event.trueSpot : event.falseSpot, onTheHouse: true }),
    ),
  );
  expect(codes.filter(({ code }) => code === "placed")).toHaveLength(24);
  await ledger.settle(event, "true");
  const first = players[0] ?? 0;
  expect(await ledger.balances(first)).toEqual([300, 0, 0]);
});

test("a call waits for no other grant: it is busy meanwhile, and nothing has changed", async () => {
  const userId = await ledger.player(0);
  const [other, rich] = [await ledger.player(0), await ledger.player(500)];
  const event = await ledger.openEvent();
  const callOf = (player: number) => ({
    userId: player,
    spotId: event.trueSpot,
    wagerCents: 100,
    idempotencyKey: "waits",
    onTheHouse: true,
  });
  await inTransaction(db, async (tx) => {
    await lockForGrant(tx, other);
    const answers = await placeCalls(pool, [callOf(userId), callOf(rich)]);
    expect(answers.map(({ code, callId }) => [code, callId === null])).toEqual([
      ["busy", true],
      ["placed", false],
    ]);
  });
  expect(await ledger.balances(userId)).toEqual([0, 0, 0]);
  await ledger.call(callOf(userId));
});

test("with a top-up at the same time a player gets one of the two, or the top-up after the other", async () => {
  const userId = await ledger.player(0);
  const event = await ledger.openEvent();
  const today = new Date().toISOString().slice(0, 10);
  const topUp = () =>
    grantPlayMoney(db, {
      userId,
      amountCents: 1_000,
      idempotencyKey: `top-up-${userId}-${today}`,
      reason: "Top-up",
    });
  const [, topped] = await Promise.all([
    ledger.call({ userId, spotId: event.trueSpot, onTheHouse: true }),
    topUp().then(
      () => true,
      () => false,
    ),
  ]);
  expect(await givenTo(userId)).toBe(topped ? 0 : 100);
  expect(await ledger.balances(userId)).toEqual(topped ? [1_000, 100, 0] : [100, 100, 0]);
  if (!topped) expect(await ledger.refusalOf(topUp)).toBe("invalid_amount");
});
