import { expect, test } from "bun:test";
import * as v from "valibot";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { receiptAnswer, resultsAnswer } from "#src/play/calls/schemas.ts";
import { createServer } from "#src/server.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { buildAdmin, buildCall, buildEvent, buildPlayer } from "#tests/support/build.ts";
import { signedInClient, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

const deps = await testDeps();
const server = createServer(deps);
const [player, rival] = [await buildPlayer(deps), await buildPlayer(deps)];
const browser = await signedInClient(deps, server, player);

/** The player has 1.00 twice on True, the rival 1.00 on True and 1.00 on False. */
async function buildPool(title: string) {
  const event = await buildEvent(deps, "open", { title });
  const own = { userId: player.id, eventId: event.id, side: "true" } as const;
  const first = await buildCall(deps, own);
  const second = await buildCall(deps, own);
  await buildCall(deps, { ...own, userId: rival.id });
  await buildCall(deps, { userId: rival.id, eventId: event.id, side: "false" });
  return { event, first, second };
}

async function readReceipt(callId: number, visitor = browser) {
  const { status, body } = await visitor.get(`/api/v1/calls/${callId}`);
  expect(status).toBe(200);
  return v.parse(receiptAnswer, body);
}

test("a receipt has the time of the close, the pool, and the parts of the payout", async () => {
  const { event, first, second } = await buildPool("Will it rain?");
  const open = await readReceipt(first);
  expect(open.call).toMatchObject({
    id: first,
    eventTitle: "Will it rain?",
    state: "placed",
    wagerCents: 100,
  });
  expect(open.receipt).toMatchObject({
    cutOffAt: event.closesAt?.toISOString(),
    pool: { true: 3, false: 1, total: 4 },
    settlements: [],
    transactions: [{ kind: "hold", amountCents: -100 }],
  });

  await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });

  const formula = { poolCents: 400, winningPoolCents: 300, wagerCents: 100, floorCents: 133 };
  const { call, receipt } = await readReceipt(first);
  expect(call).toMatchObject({ outcome: "won", payoutCents: 134, netCents: 34 });
  expect(receipt.settlements).toMatchObject([
    {
      version: 1,
      result: "true",
      refundReason: null,
      payoutCents: 134,
      changeCents: 34,
      formula: { ...formula, extraCents: 1 },
    },
  ]);
  expect(receipt.transactions).toMatchObject([
    { kind: "hold", amountCents: -100 },
    { kind: "settle", amountCents: 134 },
  ]);
  // The host closed before the clock.
  expect(Date.parse(receipt.cutOffAt ?? "")).toBeLessThan(event.closesAt?.getTime() ?? 0);
  expect((await readReceipt(second)).receipt.settlements).toMatchObject([
    { payoutCents: 133, formula: { ...formula, extraCents: 0 } },
  ]);
});

test("a correction is in the receipt with its reason and the payouts before and after", async () => {
  const { event, first } = await buildPool("Was it offside?");
  await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });
  await resolveAndPay(deps, { eventId: event.id, actor: null, result: "false", reason: "Wrong replay" });

  const { receipt } = await readReceipt(first);

  expect(receipt.settlements).toMatchObject([
    { version: 1, result: "true", reason: null, outcome: "won", payoutCents: 134, changeCents: 34 },
    {
      version: 2,
      result: "false",
      reason: "Wrong replay",
      outcome: "lost",
      payoutCents: 0,
      changeCents: -134,
    },
  ]);
  expect(receipt.settlements[1]?.formula).toBeNull();
  expect(receipt.transactions.map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
    ["hold", -100],
    ["settle", 134],
    ["correction", -134],
  ]);
});

test("a refund has a reason", async () => {
  const voided = await buildPool("Called off?");
  await resolveAndPay(deps, { eventId: voided.event.id, actor: null, result: "void" });
  const oneSided = await buildEvent(deps, "open");
  const alone = await buildCall(deps, { userId: player.id, eventId: oneSided.id });
  const nobody = await buildEvent(deps, "open");
  const wrong = await buildCall(deps, { userId: player.id, eventId: nobody.id });
  await resolveAndPay(deps, { eventId: oneSided.id, actor: null, result: "true" });
  await resolveAndPay(deps, { eventId: nobody.id, actor: null, result: "false" });

  const reasons = [];
  for (const id of [voided.first, alone, wrong]) {
    const { receipt } = await readReceipt(id);
    expect(receipt.settlements).toMatchObject([{ outcome: "refunded", changeCents: 0, formula: null }]);
    reasons.push(receipt.settlements[0]?.refundReason);
  }
  expect(reasons).toEqual(["void", "no_loser", "no_winner"]);
});

test("a call after the effective time is refunded, and the receipt states that time", async () => {
  const { event } = await buildPool("When was the whistle?");
  // The API has milliseconds: this time is between theirs and the late call's.
  await Bun.sleep(2);
  const effectiveAt = new Date();
  await Bun.sleep(2);
  const late = await buildCall(deps, { userId: player.id, eventId: event.id, side: "true" });
  await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true", effectiveAt });
  expect((await readReceipt(late)).receipt.settlements).toMatchObject([
    { effectiveAt: effectiveAt.toISOString(), outcome: "refunded", refundedCents: 100, poolCents: 400 },
  ]);
});

test("cancelled calls and calls of earlier rounds keep their receipts", async () => {
  const { event, first } = await buildPool("Once more?");
  const taken = await buildCall(deps, { userId: player.id, eventId: event.id });
  await cancelCall(deps, { viewer: player, callId: taken });
  expect((await readReceipt(taken)).receipt.transactions).toMatchObject([
    { kind: "hold" },
    { kind: "release" },
  ]);
  await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });
  await resetEvent(deps, { eventId: event.id, actor: null, reason: "Asked the wrong thing" });
  const { receipt } = await readReceipt(first);
  expect(receipt).toMatchObject({ cutOffAt: null, pool: null });
  expect(receipt.settlements).toMatchObject([
    { result: "true", changeCents: 34 },
    { result: "void", reason: "Asked the wrong thing", refundReason: "void", changeCents: -34 },
  ]);
});

test("results are the resolved calls, newest first, in pages", async () => {
  const own = await buildPlayer(deps);
  const page = await signedInClient(deps, server, own);
  const ids = [];
  for (const [title, result] of [
    ["First?", "true"],
    ["Second?", "false"],
  ] as const) {
    const event = await buildEvent(deps, "open", { title });
    ids.push(await buildCall(deps, { userId: own.id, eventId: event.id, wagerCents: 200 }));
    await buildCall(deps, { userId: rival.id, eventId: event.id, side: "false", wagerCents: 100 });
    await resolveAndPay(deps, { eventId: event.id, actor: null, result });
  }
  await buildCall(deps, { userId: own.id, eventId: (await buildEvent(deps, "open")).id });

  const { results, meta } = v.parse(resultsAnswer, (await page.get(`/api/v1/users/${own.id}/results`)).body);

  expect(meta.totalCount).toBe(2);
  expect(results).toMatchObject([
    { callId: ids[1], eventTitle: "Second?", side: "true", wager: 2, outcome: "lost", payout: 0, net: -2 },
    { callId: ids[0], eventTitle: "First?", side: "true", wager: 2, outcome: "won", payout: 3, net: 1 },
  ]);
  const second = await page.get(`/api/v1/users/${own.id}/results?page=2&per_page=1`);
  expect(v.parse(resultsAnswer, second.body).results).toEqual(results.slice(1));
});

test("another player's receipts and results are found only by admins", async () => {
  const { first } = await buildPool("Whose?");
  const other = await signedInClient(deps, server, rival);
  const admin = await signedInClient(deps, server, await buildAdmin(deps));
  const stranger = await signedOutClient(server);
  for (const path of [`/api/v1/calls/${first}`, `/api/v1/users/${player.id}/results`]) {
    expect(await other.get(path)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await stranger.get(path)).toMatchObject({ status: 401 });
    expect(await admin.get(path)).toMatchObject({ status: 200 });
  }
  expect(await browser.get("/api/v1/calls/999999999")).toMatchObject({ status: 404 });
  expect(await browser.get("/api/v1/calls/nothing")).toMatchObject({ status: 404 });
});
