import { expect, test } from "bun:test";
import { presenceKey } from "#src/base/redis-keys.ts";
import { sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { adjustWithAudit } from "#tests/support/adjust.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { buildEvent, buildRunningSession } from "#tests/support/build.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { place, Relays } from "./relays.ts";

const { deps, db, build } = await testWorld();
const relays = await Relays.open(deps);
const { listener } = relays;
const ana = await build.player();
const ben = await build.player();
afterFile(() => listener.stop());

afterTest(() => relays.stop());

test("a game is broadcast to players and session in order, with nothing private to the session", async () => {
  const web = relays.start();
  const session = await buildRunningSession(web);
  const event = await buildEvent(web, "open", { sessionId: session.id, autoResult: "true" });
  await relays.sendAndClear(web);
  const call = await place(web, { user: ana, eventId: event.id, side: "true" });
  await place(web, { user: ben, eventId: event.id, side: "false" });
  const pool = () =>
    listener
      .session(session.id)
      .findLast((message) => message.sourceType === "Spot" && message.detail.callsCount === 2);
  await waitFor("the pool of both", () => pool() !== undefined);
  await closeEvent(web, { eventId: event.id, actor: null });
  await relays.allSent();
  await resolveAndPay(web, { eventId: event.id, actor: null, result: "true", reason: "Seen by all" });
  await waitFor("the end", () => {
    const received = listener.names(sessionStream(session.id));
    return received.includes("Score/leaders") && received.includes("Event/pay");
  });
  await relays.allSent();

  expect(listener.names(userStream(ana.id))).toEqual([
    "Call/place_call",
    "Call/close_call",
    "Call/resolve_call",
  ]);
  const [held, closed, resolved] = listener.user(ana.id);
  expect(held).toMatchObject({ detail: { wallet: { balance: 100, availableBalance: 99, held: 1 } } });
  expect(closed).toMatchObject({ detail: { call: { id: call, userId: ana.id, state: "closed" } } });
  expect(resolved).toMatchObject({
    detail: {
      call: { id: call, state: "resolved", outcome: "won", payout: 2 },
      eventId: event.id,
      result: true,
      voided: false,
      reason: "Seen by all",
      wallet: { balance: 101, availableBalance: 101, metrics: { won: 1 } },
    },
  });
  expect(listener.user(ben.id).at(-1)).toMatchObject({ detail: { wallet: { balance: 99, held: 0 } } });

  const names = listener.names(sessionStream(session.id));
  expect(names.filter((name) => name.startsWith("Event/"))).toEqual([
    "Event/close_event",
    "Event/resolve",
    "Event/pay",
  ]);
  expect(pool()).toMatchObject({
    detail: { eventId: event.id, pool: { true: 1, falseCents: 100, total: 2, totalCents: 200 } },
  });
  for (const message of listener.session(session.id)) {
    if (message.sourceType === "Event") {
      expect(message.detail.event).toMatchObject({ myCalls: [], plan: null });
    }
    expect(JSON.stringify(message)).not.toContain("availableBalance");
  }
});

test("the stop of a session is broadcast, without its unpublished events", async () => {
  const web = relays.start();
  const session = await buildRunningSession(web);
  await buildEvent(web, "visible", { sessionId: session.id });
  await relays.sendAndClear(web);
  await stopSession(web, { sessionId: session.id, actor: null });
  await waitFor("the stop", () => listener.names(sessionStream(session.id)).includes("Session/stop"));
  await relays.allSent();
  expect(listener.names(sessionStream(session.id)).filter((name) => name === "Event/hide")).toHaveLength(1);
  const stop = listener.session(session.id).find(({ eventType }) => eventType === "stop");
  expect(stop).toMatchObject({
    detail: { session: { id: session.id, state: "stopped", registered: false } },
  });
});

/** The pools that a session has received, in their order. */
const poolsOf = (sessionId: number) =>
  listener.session(sessionId).flatMap((message) => (message.sourceType === "Spot" ? [message.detail] : []));

test("the pool is broadcast with the newest calls for the ticker, each once, without cancelled calls", async () => {
  const web = relays.start();
  const session = await buildRunningSession(web);
  const event = await buildEvent(web, "open", { sessionId: session.id, durationSeconds: 600 });
  await relays.sendAndClear(web);
  const mine = await place(web, { user: ana, eventId: event.id, side: "true" });
  const pools = () => poolsOf(session.id);
  await waitFor("the first pool", () => pools().length > 0);
  await cancelCall(web, { viewer: ana, callId: mine });
  await waitFor("the pool without it", () => pools().at(-1)?.callsCount === 0);
  expect(pools().map(({ callsCount, latest }) => ({ callsCount, latest }))).toEqual([
    { callsCount: 1, latest: [{ username: ana.username, side: "true", wager: 1, wagerCents: 100 }] },
    { callsCount: 0, latest: [] },
  ]);
  expect(listener.user(ana.id).at(-1)).toMatchObject({
    eventType: "cancel_call",
    detail: { wallet: { held: 0 } },
  });
});

test("the pool is broadcast at most four times a second, and always with its last value", async () => {
  const web = relays.start();
  const session = await buildRunningSession(web);
  const event = await buildEvent(web, "open", { sessionId: session.id, durationSeconds: 600 });
  await relays.sendAndClear(web);
  const worker = relays.start();
  const startMs = performance.now();
  for (let number = 1; number <= 60; number += 1) {
    await place(number % 2 === 0 ? web : worker, { user: ana, eventId: event.id, side: "true" });
    await Bun.sleep(10);
  }
  const pools = () => poolsOf(session.id);
  await waitFor("the last pool", () => pools().at(-1)?.callsCount === 60);
  const elapsedMs = performance.now() - startMs;
  expect(pools().length).toBeGreaterThan(1);
  expect(pools().length).toBeLessThanOrEqual(elapsedMs / 250 + 1);
  expect(pools().every(({ latest }) => latest.length <= 5)).toBe(true);
});

test("the pool is broadcast to a crowd at most once a second after the first ones, and with its last value too", async () => {
  const web = relays.start();
  const session = await buildRunningSession(web);
  const event = await buildEvent(web, "open", { sessionId: session.id, durationSeconds: 600 });
  // A crowd is seldom a round number.
  await web.redis.set(presenceKey(web.redis, session.id), 9_997);
  await relays.sendAndClear(web);
  const pools = () => poolsOf(session.id);
  const startMs = performance.now();
  for (let number = 1; number <= 60; number += 1) {
    await place(web, { user: ben, eventId: event.id, side: "true" });
    await Bun.sleep(10);
  }
  await waitFor("the last pool", () => pools().at(-1)?.callsCount === 60);
  // The first message shows how many there are, and the second one comes after the usual time.
  expect(pools().length).toBeLessThanOrEqual((performance.now() - startMs) / 1_000 + 3);
});

test("what is skipped is in neither number of the progress, which all players get at once", async () => {
  const web = relays.start();
  const session = await buildRunningSession(web);
  for (const state of ["resolved", "open"] as const) await buildEvent(web, state, { sessionId: session.id });
  const skipped = await buildEvent(web, "visible", { sessionId: session.id });
  await relays.sendAndClear(web);
  await skipEvent(web, { eventId: skipped.id, actor: null });
  await relays.allSent();
  const counts = listener
    .session(session.id)
    .flatMap((message) =>
      message.sourceType === "Session" && "session" in message.detail
        ? [message.detail.session.eventsCount]
        : [],
    );
  // Two were played, and one is planned.
  expect(counts).toEqual([3]);
});

test("granted money is broadcast to its owner only", async () => {
  const web = relays.start();
  await relays.sendAndClear(web);
  await adjustWithAudit(db, {
    userId: ana.id,
    amountCents: 500,
    idempotencyKey: "gift",
    actorId: ben.id,
    reason: "Gift",
  });
  web.notifyRelay();
  await relays.allSent();
  expect(listener.messages.map(({ stream }) => stream)).toEqual([userStream(ana.id)]);
});
