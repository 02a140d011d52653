import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { adjustWallet } from "#src/money/wallet/adjust-wallet.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { topUpWallet } from "#src/money/wallet/top-up-wallet.ts";
import { createServer } from "#src/server.ts";
import { buildAdmin, buildCall, buildEvent, buildPlayer, type BuiltUser } from "#tests/support/build.ts";
import { signedInClient, signedOutClient } from "#tests/support/client.ts";
import { runClock, stopClockAt } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { untilFree } from "#tests/support/until-free.ts";

const deps = await testDeps();
const server = createServer(deps);

const walletOf = (player: BuiltUser) => findWalletView(deps.pool.db, player.id);
const topUp = (viewer: { id: number }) => topUpWallet(deps, viewer);
const pathOf = (player: BuiltUser) => `/api/v1/users/${player.id}/wallet/top_up`;

async function expectUnchanged(player: BuiltUser, work: () => Promise<void>): Promise<void> {
  const before = await walletOf(player);
  await work();
  expect(await walletOf(player)).toEqual(before);
}

test("a broke player tops up to ten dollars, and the history shows it", async () => {
  const player = await buildPlayer(deps, { balanceCents: 99 });
  const browser = await signedInClient(deps, server, player);

  const { status, body } = await browser.send("POST", pathOf(player));

  expect(status).toBe(200);
  expect(body).toMatchObject({ wallet: { balanceCents: 1_000, availableBalanceCents: 1_000 } });
  expect((await browser.get("/api/v1/transactions?per_page=1")).body).toMatchObject({
    transactions: [{ kind: "grant", amountCents: 901, memo: "Play money: Top-up" }],
  });
});

test("a guest can top up too", async () => {
  const player = await buildPlayer(deps, { balanceCents: 0 });
  await deps.pool.db.update(users).set({ guest: true, email: null }).where(eq(users.id, player.id));
  const browser = await signedInClient(deps, server, player);
  expect(await browser.send("POST", pathOf(player))).toMatchObject({ status: 200 });
});

test("twenty requests at once top up once", async () => {
  const player = await buildPlayer(deps, { balanceCents: 0 });
  const browser = await signedInClient(deps, server, player);
  const topUp = () => untilFree(() => browser.send("POST", pathOf(player)));
  const answers = await Promise.all(Array.from({ length: 20 }, topUp));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 422)).toHaveLength(19);
  expect((await walletOf(player)).balanceCents).toBe(1_000);
});

test("a player with a dollar left is refused with the amount, and nothing changes", async () => {
  const player = await buildPlayer(deps, { balanceCents: 100 });
  const browser = await signedInClient(deps, server, player);
  await expectUnchanged(player, async () => {
    expect(await browser.send("POST", pathOf(player))).toMatchObject({
      status: 422,
      body: {
        code: "not_broke",
        errors: { availableBalance: ["must be less than 1"] },
        detail: "You still have $1.00. You can top up when less than $1.00 is left.",
      },
    });
  });
});

test("a player with money in open calls is refused until they settle", async () => {
  const player = await buildPlayer(deps, { balanceCents: 250 });
  const event = await buildEvent(deps, "open");
  await buildCall(deps, { userId: player.id, eventId: event.id, wagerCents: 250 });
  await expectUnchanged(player, async () => {
    const { code, details } = await refusalOf(topUp(player));
    expect([code, details.detail]).toEqual([
      "not_broke",
      "You still have $2.50 in open calls. You can top up once they are settled.",
    ]);
  });
});

test("a second top-up on one UTC day is refused; the next day it succeeds", async () => {
  const player = await buildPlayer(deps, { balanceCents: 0 });
  const admin = await buildAdmin(deps);
  const spend = (day: string) =>
    adjustWallet(deps, {
      userId: player.id,
      actor: admin,
      amountCents: -1_000,
      reason: "Spent",
      idempotencyKey: day,
    });
  await stopClockAt(deps.pool, new Date("2026-11-21T00:00:01Z"));
  await topUp(player);
  await spend("first");
  await stopClockAt(deps.pool, new Date("2026-11-21T23:59:59Z"));
  await expectUnchanged(player, async () => {
    const { code, status, details } = await refusalOf(topUp(player));
    expect([code, status]).toEqual(["topped_up_today", 422]);
    expect(details.detail).toBe("You have topped up today. You can top up again tomorrow.");
  });
  await stopClockAt(deps.pool, new Date("2026-11-22T00:00:00Z"));
  await topUp(player);
  expect((await walletOf(player)).balanceCents).toBe(1_000);
  await runClock(deps.pool, { aheadMs: 0 });
});

test("a top-up pays debt first", async () => {
  const player = await buildPlayer(deps, { balanceCents: 0 });
  const order = { userId: player.id, actor: await buildAdmin(deps), reason: "Charged back" };
  await adjustWallet(deps, { ...order, amountCents: -400, idempotencyKey: "back" });
  await topUp(player);
  expect(await walletOf(player)).toMatchObject({ availableBalanceCents: 600, owedCents: 0 });
});

test("nobody can top up another user's wallet, not even an admin", async () => {
  const player = await buildPlayer(deps, { balanceCents: 0 });
  const rival = await signedInClient(deps, server, await buildPlayer(deps));
  const admin = await signedInClient(deps, server, await buildAdmin(deps));
  const stranger = await signedOutClient(server);
  await expectUnchanged(player, async () => {
    expect(await rival.send("POST", pathOf(player))).toMatchObject({ status: 404 });
    expect(await admin.send("POST", pathOf(player))).toMatchObject({ status: 404 });
    expect(await stranger.send("POST", pathOf(player))).toMatchObject({ status: 401 });
  });
});
