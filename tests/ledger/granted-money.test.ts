import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { adjustWallet } from "#db/ledger/adjust-wallet.ts";
import { grantPlayMoney } from "#db/ledger/grant-play-money.ts";
import { adjustWithAudit } from "#tests/support/adjust.ts";
import { testLedger } from "./fixtures.ts";

// Money that nobody has paid in comes by a rule: a start, a top-up, a robot's allowance, or the decision of an admin. The ledger
// refuses a grant above its rule, and the checks of the books find what an owner of the database books nevertheless.

const ledger = await testLedger();
const { db } = ledger;
const [robot, player] = [await ledger.player(0), await ledger.player(0)];
const broke = await ledger.player(0);
await db.execute(sql`UPDATE users SET robot = false, guest = true WHERE id = ${player}`);
const ADMIN = 1_000_000;
const today = new Date().toISOString().slice(0, 10);

const grant = (userId: number, idempotencyKey: string, amountCents: number) => () =>
  grantPlayMoney(db, { userId, idempotencyKey, amountCents, reason: "Welcome" });

const beyond: [what: string, userId: number, key: string, amountCents: number][] = [
  ["more than a start", player, `welcome-${player}`, 10_001],
  ["another player's start", player, `welcome-${robot}`, 100],
  ["more than a top-up", player, `top-up-${player}-${today}`, 1_001],
  ["the top-up of a day long ago", player, `top-up-${player}-2001-01-01`, 100],
  ["a top-up without a day", player, `top-up-${player}-`, 100],
  ["more than a robot's allowance", robot, `robot-${robot}-9-1`, 5_001],
  ["a robot's allowance for a player", player, `robot-${player}-9-1`, 100],
  ["the house's dollar without a call", player, `house-${player}-1`, 1],
  ["another robot's allowance", robot, `robot-${robot}1-9`, 100],
];

test.each(beyond)("%s is refused", async (_, userId, key, amountCents) => {
  expect(await ledger.refusalOf(grant(userId, key, amountCents))).toBe("invalid_amount");
});

const { foundAfter } = ledger;

/** Books a grant as the ledger's own function does it, without the rule. */
const bookGrant = (userId: number, key: string, amountCents: number) => (tx: typeof db | Transaction) =>
  tx.execute(sql`SELECT book('grant', ${key}, ${userId}, ${amountCents}, 'promo', NULL, 'Mine')`);

test.each(beyond)(
  "%s is found where an owner of the database books it",
  async (_, userId, key, amountCents) => {
    expect(await foundAfter(bookGrant(userId, `grant-${key}`, amountCents))).toEqual([
      "grants that no rule gives",
    ]);
  },
);

test("money that is taken back otherwise than from an unused wallet is found", async () => {
  expect(await foundAfter(bookGrant(player, "grant-welcome-back", -100))).toEqual([
    "grants that no rule gives",
  ]);
});

test("what the house adds to a call is found where the player could pay it", async () => {
  const { id: eventId, trueSpot: spotId } = await ledger.openEvent();
  const rich = await ledger.player(100);
  const callId = await ledger.call({ userId: rich, spotId, wagerCents: 100 });
  const key = `grant-house-${rich}-${eventId}`;
  const found = await foundAfter(async (tx) => {
    await bookGrant(rich, key, 100)(tx);
    await tx.execute(sql`SET CONSTRAINTS ALL IMMEDIATE`);
    await tx.execute(sql`ALTER TABLE journal DISABLE TRIGGER ALL`);
    await tx.execute(sql`UPDATE journal SET created_at = (SELECT placed_at FROM calls WHERE id = ${callId}) - interval '1 microsecond'
      WHERE idempotency_key = ${key}`);
  });
  expect(found).toEqual(["grants that no rule gives"]);
});

test("a start is given once, and a guest with an account gets the rest of it", async () => {
  await grant(player, `welcome-${player}`, 550)();
  await grant(player, `welcome-${player}`, 550)();
  expect(await ledger.refusalOf(grant(player, `welcome-account-${player}`, 9_451))).toBe("invalid_amount");
  await grant(player, `welcome-account-${player}`, 9_450)();
  const topUp = (amountCents: number) => grant(broke, `top-up-${broke}-${today}`, amountCents);
  expect(await ledger.refusalOf(grant(player, `top-up-${player}-${today}`, 1_000))).toBe("invalid_amount");
  await topUp(1_000)();
  await grant(robot, `robot-${robot}-9-1`, 5_000)();
  await ledger.expectToAgree();
});

test("an adjustment is found without its entry in the audit log, with another amount, and of the own wallet", async () => {
  const order = { userId: player, amountCents: 500, idempotencyKey: "mine", reason: "Because" };
  const found = ["adjustments that no admin has made"];
  expect(await foundAfter((tx) => adjustWallet(tx, { ...order, actorId: ADMIN }))).toEqual(found);
  expect(await foundAfter((tx) => adjustWithAudit(tx, { ...order, actorId: player }))).toEqual(found);
  const other = async (tx: Transaction) => {
    await adjustWithAudit(tx, { ...order, actorId: ADMIN });
    await tx.execute(sql`ALTER TABLE audit DISABLE TRIGGER ALL`);
    await tx.execute(sql`UPDATE audit SET after = jsonb_set(after, '{amountCents}', '5')`);
  };
  expect(await foundAfter(other)).toEqual(found);
  expect(await foundAfter((tx) => adjustWithAudit(tx, { ...order, actorId: ADMIN }))).toEqual([]);
});
