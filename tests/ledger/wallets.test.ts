import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { checkFence } from "#db/ledger/check-fence.ts";
import { grantPlayMoney, openWallet } from "#db/ledger/grant-play-money.ts";
import { readWallets } from "#db/ledger/read-wallet.ts";
import { adjustWithAudit } from "#tests/support/adjust.ts";
import { readWallet } from "#tests/support/books.ts";
import { testDatabase } from "#tests/support/database.ts";
import { balances, expectBooksToAgree, refusalCodeOf } from "./books.ts";
import { buildDraft, buildOpenEvent, buildPlayer, buildSession, buildCall, unique } from "./fixtures.ts";

const database = await testDatabase();

const key = () => `key-${unique()}`;

test("a wallet is opened once, also by concurrent requests", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool, 0);
  const ids = await Promise.all(Array.from({ length: 8 }, () => openWallet(pool.db, userId)));
  expect(new Set(ids).size).toBe(1);
  expect(await balances(pool, userId)).toEqual([0, 0, 0]);
});

test("one key is one grant, also for concurrent requests", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool, 0);
  const grant = { userId, amountCents: 500, idempotencyKey: `welcome-${userId}`, reason: "Welcome" };
  const journals = await Promise.all(Array.from({ length: 8 }, () => grantPlayMoney(pool.db, grant)));
  expect(new Set(journals).size).toBe(1);
  expect(await balances(pool, userId)).toEqual([500, 0, 0]);
  expect(await refusalCodeOf(pool, () => grantPlayMoney(pool.db, { ...grant, amountCents: 501 }))).toBe(
    "key_reused",
  );
  const facts = await pool.db.execute(
    sql`SELECT payload FROM outbox WHERE kind = 'wallet_changed' AND payload->>'userId' = ${userId}::text`,
  );
  expect([...facts]).toMatchObject([{ payload: { userId } }]);
  await expectBooksToAgree(pool);
});

test("a grant of 0 or less, or for an unknown user, is refused", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool);
  const grant = (to: number, amountCents: number) => () =>
    grantPlayMoney(pool.db, {
      userId: to,
      amountCents,
      idempotencyKey: `welcome-${to}`,
      reason: "Welcome",
    });
  expect(await refusalCodeOf(pool, grant(userId, 0))).toBe("invalid_amount");
  expect(await refusalCodeOf(pool, grant(userId, -1))).toBe("invalid_amount");
  expect(await refusalCodeOf(pool, grant(999_999, 5))).toBe("not_found");
});

test("an adjustment needs a reason; an amount above the available balance is owed", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool, 1_000);
  const event = await buildOpenEvent(pool);
  await buildCall(pool, { userId, spotId: event.trueSpot, wagerCents: 900 });
  const adjust = (amountCents: number, reason = "Paid twice") =>
    adjustWithAudit(pool.db, { userId, amountCents, idempotencyKey: key(), actorId: userId + 1, reason });
  expect(await refusalCodeOf(pool, () => adjust(-50, ""))).toBe("reason_required");
  expect(await refusalCodeOf(pool, () => adjust(0))).toBe("invalid_amount");
  await adjust(-50);
  expect(await balances(pool, userId)).toEqual([950, 900, 0]);
  await adjust(-80);
  expect(await balances(pool, userId)).toEqual([900, 900, 30]);
  await adjust(25);
  expect(await balances(pool, userId)).toEqual([900, 900, 5]);
  await expectBooksToAgree(pool);
});

test("a reading of a wallet has a higher revision after every change", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool);
  const before = await readWallet(pool.db, userId);
  await buildCall(pool, { userId, spotId: (await buildOpenEvent(pool)).trueSpot, wagerCents: 200 });
  const after = await readWallet(pool.db, userId);
  expect(after).toEqual({
    ...before,
    heldCents: 200,
    heldCalls: 1,
    availableCents: 9_800,
    revision: before.revision + 1,
  });
});

test("many wallets are read at once, without users who have none", async () => {
  const { pool } = database;
  const [one, two] = [await buildPlayer(pool, 1), await buildPlayer(pool, 2)];
  const wallets = await readWallets(pool.db, [two, 999_999, one]);
  expect(wallets.map(({ userId, postedCents }) => [userId, postedCents])).toEqual([
    [one, 1],
    [two, 2],
  ]);
  expect(await readWallets(pool.db, [])).toEqual([]);
});

test("an older fencing token is refused after a newer one has written", async () => {
  const { pool } = database;
  const fences = [
    { kind: "event", id: (await buildDraft(pool)).id },
    { kind: "session", id: await buildSession(pool) },
    { kind: "wallet", id: await buildPlayer(pool) },
  ] as const;
  for (const fence of fences) {
    const check = (token: number) => () =>
      inTransaction(pool.db, (tx) => checkFence(tx, { ...fence, token }));
    await check(1_795_257_669_070_123)();
    await check(1_795_257_669_070_123)();
    await check(1_795_257_669_070_124)();
    expect(await refusalCodeOf(pool, check(1_795_257_669_070_123))).toBe("stale_lock");
  }
});
