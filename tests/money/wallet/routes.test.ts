import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { users } from "#db/schema/users.ts";
import { transactionsAnswer, walletAnswer } from "#src/money/wallet/schemas.ts";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { createServer } from "#src/server.ts";
import { buildAdmin, buildCall, buildEvent, buildPlayer } from "#tests/support/build.ts";
import { signedInClient, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

const deps = await testDeps();
const server = createServer(deps);

/** A player who was granted $100, lost $2, won $3 from $1 and $1, took $5 back and has $4 on an open event. */
async function buildHistory() {
  const [player, rival] = [await buildPlayer(deps), await buildPlayer(deps)];
  const both = async (eventId: number, own: number, theirs: number) => {
    await buildCall(deps, { userId: player.id, eventId, side: "true", wagerCents: own });
    await buildCall(deps, { userId: rival.id, eventId, side: "false", wagerCents: theirs });
  };
  const lost = await buildEvent(deps, "open", { title: "Lost?" });
  await both(lost.id, 200, 200);
  await resolveAndPay(deps, { eventId: lost.id, actor: null, result: "false" });
  const won = await buildEvent(deps, "open", { title: "Won?" });
  await both(won.id, 100, 300);
  await resolveAndPay(deps, { eventId: won.id, actor: null, result: "true" });
  const open = await buildEvent(deps, "open", { title: "Open?" });
  const taken = await buildCall(deps, { userId: player.id, eventId: open.id, wagerCents: 500 });
  await cancelCall(deps, { viewer: player, callId: taken });
  await buildCall(deps, { userId: player.id, eventId: open.id, wagerCents: 400 });
  return player;
}

test("a wallet has its balance, what is held, and the player's metrics", async () => {
  const player = await buildHistory();
  const browser = await signedInClient(deps, server, player);

  const { status, body } = await browser.get(`/api/v1/users/${player.id}/wallet`);

  expect(status).toBe(200);
  expect(v.parse(walletAnswer, body).wallet).toMatchObject({
    balance: 101,
    balanceCents: 10_100,
    availableBalance: 97,
    availableBalanceCents: 9_700,
    held: 4,
    owed: 0,
    metrics: {
      wagered: 3,
      returned: 4,
      net: 1,
      roi: 1 / 3,
      pending: 4,
      callsPlaced: 3,
      won: 1,
      lost: 1,
      refunded: 0,
      winRate: 0.5,
      currentStreak: 1,
      bestStreak: 1,
    },
  });
});

test("the transactions lead to that balance, newest first, in pages", async () => {
  const player = await buildHistory();
  const browser = await signedInClient(deps, server, player);

  const { transactions, meta } = v.parse(
    transactionsAnswer,
    (await browser.get("/api/v1/transactions")).body,
  );

  const rows = transactions.map(({ kind, amount, availableAfter, memo }) => [
    kind,
    amount,
    availableAfter,
    memo,
  ]);
  expect(rows).toEqual([
    ["hold", -4, 97, "Call placed: Open?"],
    ["release", 5, 101, "Call taken back by you: Open?"],
    ["hold", -5, 96, "Call placed: Open?"],
    ["settle", 4, 101, "Won: Won?"],
    ["hold", -1, 97, "Call placed: Won?"],
    ["settle", 0, 98, "Lost: Lost?"],
    ["hold", -2, 98, "Call placed: Lost?"],
    ["grant", 100, 100, "Play money: Welcome"],
  ]);
  expect(meta).toMatchObject({ currentPage: 1, totalPages: 1, totalCount: 8 });
  const second = v.parse(
    transactionsAnswer,
    (await browser.get("/api/v1/transactions?page=2&per_page=3")).body,
  );
  expect(second.transactions).toEqual(transactions.slice(3, 6));
  const behind = v.parse(transactionsAnswer, (await browser.get("/api/v1/transactions?page=9")).body);
  expect(behind).toMatchObject({ transactions: [], meta: { totalCount: 8 } });
});

test("other users' wallets are 404, except for admins", async () => {
  const player = await buildPlayer(deps);
  const paths = [`/api/v1/users/${player.id}/wallet`, `/api/v1/transactions?user_id=${player.id}`];
  const rival = await signedInClient(deps, server, await buildPlayer(deps));
  const admin = await signedInClient(deps, server, await buildAdmin(deps));
  const stranger = await signedOutClient(server);

  for (const path of paths) {
    expect(await rival.get(path)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await stranger.get(path)).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    expect(await admin.get(path)).toMatchObject({ status: 200 });
  }
  expect(await admin.get("/api/v1/users/999999999/wallet")).toMatchObject({ status: 404 });
  expect(await admin.get("/api/v1/users/nobody/wallet")).toMatchObject({ status: 404 });
  expect(await admin.get("/api/v1/transactions?user_id=nobody")).toMatchObject({
    status: 422,
    body: { errors: { userId: ["is invalid"] } },
  });
});

test("a guest has a wallet; its history needs an account", async () => {
  const player = await buildPlayer(deps);
  await deps.pool.db.update(users).set({ guest: true, email: null }).where(eq(users.id, player.id));
  const browser = await signedInClient(deps, server, player);

  expect(await browser.get(`/api/v1/users/${player.id}/wallet`)).toMatchObject({ status: 200 });
  expect(await browser.get("/api/v1/transactions")).toMatchObject({ status: 403, body: { code: "guest" } });
});
