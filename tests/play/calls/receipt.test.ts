import { beforeAll, describe, expect, test } from "bun:test";
import * as v from "valibot";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import { receiptAnswer, resultsAnswer } from "#src/play/calls/schemas.ts";
import { createServer } from "#src/server.ts";
import { createShare } from "#src/shares/create-share.ts";
import { openEvent } from "#src/show/events/open-event.ts";
import { publishEvent } from "#src/show/events/publish-event.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { updateEvent } from "#src/show/events/update-event.ts";
import { readerFor } from "#tests/pages/ssr/browser.ts";
import { readShares } from "#tests/shares/shows.ts";
import {
  buildAdmin,
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  readEvent,
  readSpots,
} from "#tests/support/build.ts";
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

const admin = await buildAdmin(deps);

const asked = { title: "Will it rain?", trueLabel: "Umbrella", falseLabel: "Sunglasses" };
const secret = { title: "Zebra question", trueLabel: "Zebra yes", falseLabel: "Zebra no" };
const SECRET = /zebra/i;
const KEY = "placed-before";

/** A player with a call on an event, and another one on the other side. */
async function buildAsked() {
  const session = await buildRunningSession(deps, { name: "Weather" });
  const [player, rival] = [await buildPlayer(deps), await buildPlayer(deps)];
  const event = await buildEvent(deps, "open", { ...asked, sessionId: session.id, durationSeconds: 600 });
  const spotId = (await readSpots(deps, event.id)).true.id;
  const call = { viewer: player, spotId, wagerCents: 100, idempotencyKey: KEY };
  const { callId } = await placeCall(deps, call);
  await buildCall(deps, { userId: rival.id, eventId: event.id, side: "false", wagerCents: 250 });
  return { session, player, event, call, callId, order: { eventId: event.id, actor: admin } };
}

async function renameTo(eventId: number, texts: typeof asked): Promise<void> {
  const { version } = await readEvent(deps, eventId);
  await updateEvent(deps, { eventId, actor: admin, changes: { ...texts, version } });
}

/** Whatever a player reads of a call, and what strangers read by the player's links, by path. */
async function readAll({ session, player, callId }: Awaited<ReturnType<typeof buildAsked>>) {
  const own = await signedInClient(deps, server, player);
  const stranger = await signedOutClient(server);
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
        await createShare(deps.pool.db, { viewer: player, kind, targetId: callId }, new Date());
      await resetEvent(deps, { ...order, reason: "Asked wrongly" });
      await renameTo(order.eventId, secret);
    });

    test("shows callers and strangers the question that was called on, and never the draft", async () => {
      await expectAsked(built);
      const { call, label } = { call: built.call, label: asked.trueLabel };
      const { replayed, answer } = await placeCall(deps, call);
      expect([replayed, answer.call]).toMatchObject([true, { eventTitle: asked.title, label }]);
      const own = await signedInClient(deps, server, built.player);
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
      const newCallId = await buildCall(deps, { userId: player.id, eventId: order.eventId });
      await expectAsked(built);
      const own = await signedInClient(deps, server, player);
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
  const own = await signedInClient(deps, server, player);
  const { body } = await own.get(`/api/v1/users/${player.id}/results`);
  expect(body).toMatchObject({ results: [{ eventTitle: asked.title }] });
});

test("who has called on a skipped event reads no later text of it", async () => {
  const built = await buildAsked();
  const { order, player, callId } = built;
  await createShare(deps.pool.db, { viewer: player, kind: "call", targetId: callId }, new Date());
  await skipEvent(deps, { ...order, reason: "No time" });
  await renameTo(order.eventId, secret);
  expect(await readEvent(deps, order.eventId)).toMatchObject({ state: "hidden", title: secret.title });
  await expectAsked(built);
});

test("calls that were taken back keep their texts, and those after a change have the new ones", async () => {
  const session = await buildRunningSession(deps, { name: "Weather" });
  const player = await buildPlayer(deps);
  const event = await buildEvent(deps, "open", { ...asked, sessionId: session.id, durationSeconds: 600 });
  const placed = [];
  for (const texts of [secret, { ...secret, title: "Third" }, { ...secret, trueLabel: "Fourth" }]) {
    const callId = await buildCall(deps, { userId: player.id, eventId: event.id });
    placed.push(callId);
    await cancelCall(deps, { viewer: player, callId });
    await renameTo(event.id, texts);
  }
  placed.push(await buildCall(deps, { userId: player.id, eventId: event.id }));
  const views = await findCallViews(deps.pool.db, { callIds: placed }, new Date());
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
  const [view] = await findCallViews(deps.pool.db, { callIds: [callId] }, new Date());
  expect(view).toMatchObject({ eventTitle: asked.title });
});
