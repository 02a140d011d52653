import { beforeAll, describe, expect, test } from "bun:test";
import * as v from "valibot";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import { receiptAnswer } from "#src/play/calls/schemas.ts";
import { createShare } from "#src/shares/create-share.ts";
import { openEvent, publishEvent } from "#src/show/events/open-event.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { readerFor } from "#tests/pages/ssr/browser.ts";
import { readShares } from "#tests/shares/shows.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, by, timer, build, read, server, client } = await testWorld();
const [player, rival] = [await build.player(), await build.player()];
const browser = await client(player);

/** The player has 1.00 twice on True, the rival 1.00 on True and 1.00 on False. */
async function buildPool(title: string) {
  const event = await build.event("open", { title });
  const own = { userId: player.id, eventId: event.id, side: "true" } as const;
  const first = await build.call(own);
  const second = await build.call(own);
  await build.call({ ...own, userId: rival.id });
  await build.call({ userId: rival.id, eventId: event.id, side: "false" });
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

  await timer.settle(event.id);

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
  await timer.settle(event.id);
  await timer.settle(event.id, "false", { reason: "Wrong replay" });

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
  await timer.settle(voided.event.id, "void");
  const oneSided = await build.event("open");
  const alone = await build.call({ userId: player.id, eventId: oneSided.id });
  const nobody = await build.event("open");
  const wrong = await build.call({ userId: player.id, eventId: nobody.id });
  await timer.settle(oneSided.id);
  await timer.settle(nobody.id, "false");

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
  const late = await build.call({ userId: player.id, eventId: event.id, side: "true" });
  await timer.settle(event.id, "true", { effectiveAt });
  expect((await readReceipt(late)).receipt.settlements).toMatchObject([
    { effectiveAt: effectiveAt.toISOString(), outcome: "refunded", refundedCents: 100, poolCents: 400 },
  ]);
});

test("cancelled calls and calls of earlier rounds keep their receipts", async () => {
  const { event, first } = await buildPool("Once more?");
  const taken = await build.call({ userId: player.id, eventId: event.id });
  await cancelCall(deps, { viewer: player, callId: taken });
  expect((await readReceipt(taken)).receipt.transactions).toMatchObject([
    { kind: "hold" },
    { kind: "release" },
  ]);
  await timer.settle(event.id);
  await timer.reset(event.id, "Asked the wrong thing");
  const { receipt } = await readReceipt(first);
  expect(receipt).toMatchObject({ cutOffAt: null, pool: null });
  expect(receipt.settlements).toMatchObject([
    { result: "true", changeCents: 34 },
    { result: "void", reason: "Asked the wrong thing", refundReason: "void", changeCents: -34 },
  ]);
});

const admin = await build.admin();

const asked = { title: "Will it rain?", trueLabel: "Umbrella", falseLabel: "Sunglasses" };
const secret = { title: "Zebra question", trueLabel: "Zebra yes", falseLabel: "Zebra no" };
const SECRET = /zebra/i;
const KEY = "placed-before";

/** A player with a call on an event, and another one on the other side. */
async function buildAsked() {
  const session = await build.runningSession({ name: "Weather" });
  const [player, rival] = [await build.player(), await build.player()];
  const event = await build.event("open", { ...asked, sessionId: session.id, durationSeconds: 600 });
  const spotId = (await read.spots(event.id)).true.id;
  const call = { viewer: player, spotId, wagerCents: 100, idempotencyKey: KEY };
  const { callId } = await placeCall(deps, call);
  await build.call({ userId: rival.id, eventId: event.id, side: "false", wagerCents: 250 });
  return { session, player, event, call, callId, order: { eventId: event.id, actor: admin } };
}

async function renameTo(eventId: number, texts: typeof asked): Promise<void> {
  const { version } = await read.event(eventId);
  await by(admin).update(eventId, { ...texts, version });
}

/** Whatever a player reads of a call, and what strangers read by the player's links, by path. */
async function readAll({ session, player, callId }: Awaited<ReturnType<typeof buildAsked>>) {
  const own = await client(player);
  const stranger = await client();
  const links = await readShares(deps, player.id);
  const texts = new Map<string, string>();
  const ask = async (client: typeof own, path: string) => {
    const { status, body } = await client.get(path);
    expect([path, status]).toEqual([path, 200]);
    texts.set(path, typeof body === "string" ? body : JSON.stringify(body));
  };
  for (const path of [
    "/api/v1/calls",
    `/api/v1/calls?session_id=${session.id}`,
    `/api/v1/calls/${callId}`,
    "/api/v1/transactions",
    "/api/v1/transactions.csv",
    "/api/v1/users/me/export.json",
    "/api/v1/shares",
  ])
    await ask(own, path);
  for (const { token } of links) await ask(stranger, `/api/v1/shared/${token}`);

  const reader = await readerFor(deps, server, player);
  const history = `/sessions/${session.slug}/history`;
  for (const path of [history, `${history}/${callId}`, "/profile/wallet", "/shares"])
    texts.set(path, (await reader.open(path)).html);
  for (const { token } of links) {
    const page = await server.handle(
      new Request(`http://localhost:3000/shared/${token}`, { headers: { accept: "text/html" } }),
    );
    texts.set(`/shared/${token}`, await page.text());
  }
  return texts;
}

async function expectAsked(built: Awaited<ReturnType<typeof buildAsked>>): Promise<void> {
  for (const [path, text] of await readAll(built)) {
    expect([path, SECRET.exec(text)?.[0] ?? null]).toEqual([path, null]);
    expect([path, text.includes(asked.title)]).toEqual([path, true]);
  }
}

describe.each<["resolved" | "open"]>([["resolved"], ["open"]])(
  "an event that was reset while %s",
  (state) => {
    let built: Awaited<ReturnType<typeof buildAsked>>;

    beforeAll(async () => {
      built = await buildAsked();
      const { player, callId, order } = built;
      if (state === "resolved") await resolveAndPay(deps, { ...order, result: "true" });
      for (const kind of state === "resolved" ? (["call", "result"] as const) : (["call"] as const))
        await createShare(db, { viewer: player, kind, targetId: callId }, new Date());
      await resetEvent(deps, { ...order, reason: "Asked wrongly" });
      await renameTo(order.eventId, secret);
    });

    test("shows callers and strangers the question that was called on, and never the draft", async () => {
      await expectAsked(built);
      const { call, label } = { call: built.call, label: asked.trueLabel };
      const { replayed, answer } = await placeCall(deps, call);
      expect([replayed, answer.call]).toMatchObject([true, { eventTitle: asked.title, label }]);
      const own = await client(built.player);
      expect((await own.get(`/api/v1/calls/${built.callId}`)).body).toMatchObject({
        call: { eventTitle: asked.title, label },
        receipt: { labels: { true: asked.trueLabel, false: asked.falseLabel } },
      });
    });

    test("is asked again with another question, and each call keeps its own", async () => {
      const snow = { title: "Will it snow?", trueLabel: "Sledge", falseLabel: "Boots" };
      const { order, player } = built;
      await renameTo(order.eventId, snow);
      await publishEvent(deps, order);
      await openEvent(deps, order);
      const newCallId = await build.call({ userId: player.id, eventId: order.eventId });
      await expectAsked(built);
      const own = await client(player);
      const { body } = await own.get(`/api/v1/calls/${newCallId}`);
      expect(body).toMatchObject({ call: { eventTitle: snow.title, label: snow.trueLabel } });
      // A third round keeps both.
      await resetEvent(deps, { ...order, reason: "Asked wrongly again" });
      await renameTo(order.eventId, secret);
      await expectAsked(built);
      expect((await own.get(`/api/v1/calls/${newCallId}`)).body).toMatchObject({
        call: { eventTitle: snow.title, label: snow.trueLabel },
      });
    });
  },
);

test("a player's results keep their question after a reset and a void", async () => {
  const built = await buildAsked();
  const { order, player } = built;
  await resolveAndPay(deps, { ...order, result: "void", reason: "Nobody saw it" });
  await resetEvent(deps, { ...order, reason: "Asked wrongly" });
  await renameTo(order.eventId, secret);
  const own = await client(player);
  const { body } = await own.get(`/api/v1/users/${player.id}/results`);
  expect(body).toMatchObject({ results: [{ eventTitle: asked.title }] });
});

test("who has called on a skipped event reads no later text of it", async () => {
  const built = await buildAsked();
  const { order, player, callId } = built;
  await createShare(db, { viewer: player, kind: "call", targetId: callId }, new Date());
  await skipEvent(deps, { ...order, reason: "No time" });
  await renameTo(order.eventId, secret);
  expect(await read.event(order.eventId)).toMatchObject({ state: "hidden", title: secret.title });
  await expectAsked(built);
});

test("calls that were taken back keep their texts, and those after a change have the new ones", async () => {
  const session = await build.runningSession({ name: "Weather" });
  const player = await build.player();
  const event = await build.event("open", { ...asked, sessionId: session.id, durationSeconds: 600 });
  const placed = [];
  for (const texts of [secret, { ...secret, title: "Third" }, { ...secret, trueLabel: "Fourth" }]) {
    const callId = await build.call({ userId: player.id, eventId: event.id });
    placed.push(callId);
    await cancelCall(deps, { viewer: player, callId });
    await renameTo(event.id, texts);
  }
  placed.push(await build.call({ userId: player.id, eventId: event.id }));
  const views = await findCallViews(db, { callIds: placed }, new Date());
  expect(views.map(({ eventTitle, label }) => [eventTitle, label])).toEqual([
    [asked.title, asked.trueLabel],
    [secret.title, secret.trueLabel],
    ["Third", secret.trueLabel],
    [secret.title, "Fourth"],
  ]);
});

test("nobody can change what calls were placed on", async () => {
  const { order, callId } = await buildAsked();
  await resetEvent(deps, { ...order, reason: "Asked wrongly" });
  await renameTo(order.eventId, secret);
  for (const change of ["UPDATE earlier_texts SET title = 'Another'", "TRUNCATE earlier_texts"]) {
    const changing = deps.pool.sql.unsafe(change);
    expect(await changing.catch((error: unknown) => error)).toMatchObject({ errno: "23514" });
  }
  const rows = await deps.pool.sql`SELECT title FROM earlier_texts WHERE event_id = ${order.eventId}`;
  expect([...rows]).toEqual([{ title: asked.title }]);
  const [view] = await findCallViews(db, { callIds: [callId] }, new Date());
  expect(view).toMatchObject({ eventTitle: asked.title });
});
