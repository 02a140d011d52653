import { beforeEach, expect, test } from "bun:test";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { adjustWallet as adjustInLedger } from "#db/ledger/adjust-wallet.ts";
import { checkFence, drawLockTokens } from "#db/ledger/locks.ts";
import { lockCounts } from "#src/base/lock.ts";
import { connectRedis } from "#src/base/redis.ts";
import { adjustWallet } from "#src/money/wallet/adjust-wallet.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { transactionsAnswer, walletAnswer } from "#src/money/wallet/schemas.ts";
import { topUpWallet } from "#src/money/wallet/top-up-wallet.ts";
import { withWallet } from "#src/money/wallet/with-wallet.ts";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import { untilFree } from "#tests/support/until-free.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";

const { deps, db, timer, build, client, signedIn, unchanged, read, refused, runClock, stopClockAt } =
  await testWorld();

const walletOf = (player: BuiltUser) => findWalletView(db, player.id);
const topUp = (viewer: { id: number }) => topUpWallet(deps, viewer);
const pathOf = (player: BuiltUser) => `/api/v1/users/${player.id}/wallet/top_up`;

async function expectUnchanged(player: BuiltUser, work: () => Promise<void>): Promise<void> {
  const before = await walletOf(player);
  await work();
  expect(await walletOf(player)).toEqual(before);
}

test("a broke player tops up to ten dollars, and the history shows it", async () => {
  const [player, browser] = await signedIn.player({ balanceCents: 99 });

  const { status, body } = await browser.send("POST", pathOf(player));

  expect(status).toBe(200);
  expect(body).toMatchObject({ wallet: { balanceCents: 1_000, availableBalanceCents: 1_000 } });
  expect((await browser.get("/api/v1/transactions?per_page=1")).body).toMatchObject({
    transactions: [{ kind: "grant", amountCents: 901, memo: "Play money: Top-up" }],
  });
});

test("twenty requests at once top up once", async () => {
  const [player, browser] = await signedIn.player({ balanceCents: 0 });
  const topUp = () => untilFree(() => browser.send("POST", pathOf(player)));
  const answers = await Promise.all(Array.from({ length: 20 }, topUp));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 422)).toHaveLength(19);
  expect((await walletOf(player)).balanceCents).toBe(1_000);
});

test("a player with a dollar left is refused with the amount, and nothing changes", async () => {
  const [player, browser] = await signedIn.player({ balanceCents: 100 });
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
  const player = await build.player({ balanceCents: 250 });
  const event = await build.event("open");
  await build.call({ userId: player.id, eventId: event.id, wagerCents: 250 });
  await expectUnchanged(player, async () => {
    const { code, details } = await refusalOf(topUp(player));
    expect([code, details.detail]).toEqual([
      "not_broke",
      "You still have $2.50 in open calls. You can top up once they are settled.",
    ]);
  });
});

test("a second top-up on one UTC day is refused; the next day it succeeds", async () => {
  const player = await build.player({ balanceCents: 0 });
  const admin = await build.admin();
  const spend = (day: string) =>
    adjustWallet(deps, {
      userId: player.id,
      actor: admin,
      amountCents: -1_000,
      reason: "Spent",
      idempotencyKey: day,
    });
  await stopClockAt(new Date("2026-11-21T00:00:01Z"));
  await topUp(player);
  await spend("first");
  await stopClockAt(new Date("2026-11-21T23:59:59Z"));
  await expectUnchanged(player, async () => {
    const { code, status, details } = await refusalOf(topUp(player));
    expect([code, status]).toEqual(["topped_up_today", 422]);
    expect(details.detail).toBe("You have topped up today. You can top up again tomorrow.");
  });
  await stopClockAt(new Date("2026-11-22T00:00:00Z"));
  await topUp(player);
  expect((await walletOf(player)).balanceCents).toBe(1_000);
  await runClock({ aheadMs: 0 });
});

/** A player who was granted $100, lost $2, won $3 from $1 and $1, took $5 back and has $4 on an open event. */
async function buildHistory() {
  const [player, rival] = [await build.player(), await build.player()];
  const both = async (eventId: number, own: number, theirs: number) => {
    await build.call({ userId: player.id, eventId, side: "true", wagerCents: own });
    await build.call({ userId: rival.id, eventId, side: "false", wagerCents: theirs });
  };
  const lost = await build.event("open", { title: "Lost?" });
  await both(lost.id, 200, 200);
  await timer.settle(lost.id, "false");
  const won = await build.event("open", { title: "Won?" });
  await both(won.id, 100, 300);
  await timer.settle(won.id);
  const open = await build.event("open", { title: "Open?" });
  const taken = await build.call({ userId: player.id, eventId: open.id, wagerCents: 500 });
  await cancelCall(deps, { viewer: player, callId: taken });
  await build.call({ userId: player.id, eventId: open.id, wagerCents: 400 });
  return player;
}

test("a wallet has its balance, what is held, and the player's metrics", async () => {
  const player = await buildHistory();
  const browser = await client(player);

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
  const browser = await client(player);

  const { transactions, meta } = await browser.read("/api/v1/transactions", transactionsAnswer);

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
  const second = await browser.read("/api/v1/transactions?page=2&per_page=3", transactionsAnswer);
  expect(second.transactions).toEqual(transactions.slice(3, 6));
  const behind = await browser.read("/api/v1/transactions?page=9", transactionsAnswer);
  expect(behind).toMatchObject({ transactions: [], meta: { totalCount: 8 } });
});

test("other users' transactions, listed or as a file, are 404, except for admins", async () => {
  const player = await build.player();
  const [rival, admin] = [await client(await build.player()), await client(await build.admin())];
  for (const path of ["/api/v1/transactions", "/api/v1/transactions.csv"]) {
    const own = `${path}?user_id=${player.id}`;
    expect(await rival.get(own)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await admin.get(own)).toMatchObject({ status: 200 });
    expect(await admin.get(`${path}?user_id=nobody`)).toMatchObject({
      status: 422,
      body: { errors: { userId: ["is invalid"] } },
    });
  }
});

const PATH = "/api/v1/transactions.csv";
const columns =
  "created_at,id,kind,memo,amount,balance_after,available_after,call_id,event_id,session_id,payment_id";

test("the file holds every transaction, oldest first, with its running balance", async () => {
  const [player, rival] = [await build.player(), await build.player()];
  const browser = await client(player);
  const event = await build.event("open", { title: '=HYPERLINK("http://x","Rain, or sun?")' });
  const callId = await build.call({ userId: player.id, eventId: event.id, wagerCents: 250 });
  await build.call({ userId: rival.id, eventId: event.id, side: "false", wagerCents: 100 });
  await timer.settle(event.id);

  const { status, body, headers } = await browser.get(PATH);

  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
  expect(headers.get("content-disposition")).toBe(
    `attachment; filename="called-it-transactions-${player.id}.csv"`,
  );
  const lines = v.parse(v.string(), body).split("\r\n");
  const moment = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;
  const title = String.raw`=HYPERLINK\(""http://x"",""Rain, or sun\?""\)`;
  const expected = [
    columns,
    `${moment},entry-\\d+,grant,Play money: Welcome,100,100,100,,,,`,
    `${moment},call-${callId},hold,"Call placed: ${title}",-2.5,100,97.5,${callId},${event.id},,`,
    `${moment},payout-${callId},settle,"Won: ${title}",3.5,101,101,${callId},${event.id},,`,
    "",
  ];
  expect(lines).toHaveLength(expected.length);
  for (const [index, line] of expected.entries()) expect(lines[index]).toMatch(new RegExp(`^${line}$`));
});

const host = await build.admin();
const adminId = host.id;
const admin = await client(host);
const adjusted = await build.player();
const path = `/api/v1/users/${adjusted.id}/wallet/adjustments`;

const linesOf = (userId: number) => read.audit({ subjectType: "user", subjectId: userId });

test("an admin adds to or takes from a wallet; history and audit have the reason", async () => {
  const before = await findWalletView(db, adjusted.id);
  const given = await admin.send("POST", path, {
    adjustment: { amount: 12.5, reason: "Lost in the outage" },
  });
  expect(given.status).toBe(201);
  expect(given.body).toMatchObject({ wallet: { balanceCents: before.balanceCents + 1_250 } });
  const taken = await admin.send("POST", path, { adjustment: { amount: -2.5, reason: "Given twice" } });
  expect(taken.body).toMatchObject({ wallet: { balanceCents: before.balanceCents + 1_000 } });

  const { body } = await admin.get(`/api/v1/transactions?user_id=${adjusted.id}&per_page=2`);
  expect(body).toMatchObject({
    transactions: [
      { kind: "adjustment", amountCents: -250, memo: "Adjustment: Given twice" },
      { kind: "adjustment", amountCents: 1_250, memo: "Adjustment: Lost in the outage" },
    ],
  });
  expect(await linesOf(adjusted.id)).toMatchObject([
    {
      actorId: adminId,
      action: "adjust_wallet",
      after: { amountCents: 1_250 },
      reason: "Lost in the outage",
    },
    { actorId: adminId, action: "adjust_wallet", after: { amountCents: -250 }, reason: "Given twice" },
  ]);
  expect(await read.told(adjusted.id)).toMatchObject([
    { kind: "correction", title: "Your wallet was corrected: +$12.50", body: "Lost in the outage" },
    { kind: "correction", title: "Your wallet was corrected: -$2.50", body: "Given twice" },
  ]);
});

const refusals: [string, unknown, Record<string, string[]>][] = [
  ["nothing to move", { amount: 0, reason: "Why" }, { amount: ["is invalid"] }],
  ["half a cent", { amount: 0.005, reason: "Why" }, { amount: ["is invalid"] }],
  ["no reason", { amount: 5, reason: " " }, { reason: ["can't be blank"] }],
];
for (const [what, adjustment, errors] of refusals) {
  test(`${what} is refused and moves nothing`, async () => {
    const before = await findWalletView(db, adjusted.id);
    expect(await admin.send("POST", path, { adjustment })).toMatchObject({ status: 422, body: { errors } });
    expect(await findWalletView(db, adjusted.id)).toEqual(before);
  });
}

test("an admin cannot adjust their own wallet, and nothing changes; another admin can", async () => {
  const own = `/api/v1/users/${host.id}/wallet/adjustments`;
  const adjustment = { amount: 500, reason: "Because" };
  expect(await unchanged(() => admin.send("POST", own, { adjustment }))).toMatchObject({
    status: 403,
    body: { code: "forbidden", detail: "This wallet is yours. Another admin must adjust it." },
  });
  const another = await client(await build.admin());
  expect((await another.send("POST", own, { adjustment })).status).toBe(201);
});

let player: BuiltUser;
const decider = await build.player();

beforeEach(async () => {
  player = await build.player({ balanceCents: 1_000 });
});

const adjustment = () => ({
  userId: player.id,
  actor: decider,
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
