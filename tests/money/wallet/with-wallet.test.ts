import { beforeEach, expect, test } from "bun:test";
import { inTransaction } from "#db/client.ts";
import { adjustWallet as adjustInLedger } from "#db/ledger/adjust-wallet.ts";
import { checkFence, drawLockTokens } from "#db/ledger/locks.ts";
import { lockCounts } from "#src/base/lock.ts";
import { connectRedis } from "#src/base/redis.ts";
import { adjustWallet } from "#src/money/wallet/adjust-wallet.ts";
import { withWallet } from "#src/money/wallet/with-wallet.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
let player: BuiltUser;

const { deps, db, build, read, refused } = await testWorld();
const admin = await build.player();

beforeEach(async () => {
  player = await build.player({ balanceCents: 1_000 });
});

const adjustment = () => ({
  userId: player.id,
  actor: admin,
  amountCents: 250,
  reason: "Mistyped",
  idempotencyKey: crypto.randomUUID(),
});
const holding = () => read.balance(player.id);
/** Writes with a newer fencing token, as the next holder of an expired lock does. */
const overtake = async () => {
  const lock = { kind: "wallet", id: player.id } as const;
  const [token = 0] = await drawLockTokens(db, [lock]);
  await inTransaction(db, (tx) => checkFence(tx, { ...lock, token }));
};

test("a change whose lock was taken over rolls back and runs again", async () => {
  const stale = lockCounts(deps.redis).stale;
  let tries = 0;
  await withWallet(deps, { userId: player.id }, async (tx) => {
    tries += 1;
    if (tries > 1) return;
    await overtake();
    const { actor, ...order } = adjustment();
    await adjustInLedger(tx, { ...order, actorId: actor.id });
  });
  expect([tries, await holding()]).toEqual([2, 1_000]);
  expect(lockCounts(deps.redis).stale).toBe(stale + 1);
});

test("while the lock stays busy an adjustment is refused, and no money moves", async () => {
  await deps.redis.set(`lock:{wallet:${player.id}}`, "another holder", "PX", 5_000);
  expect((await refused(() => adjustWallet(deps, adjustment()))).status).toBe(409);
});

test("while Redis is unavailable money still moves", async () => {
  const gone = connectRedis("redis://127.0.0.1:1", "commands");
  await adjustWallet({ ...deps, redis: gone }, adjustment());
  expect(await holding()).toBe(1_250);
  expect(lockCounts(gone).away).toBe(1);
  gone.disconnect();
});
