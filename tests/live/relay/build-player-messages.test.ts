import { expect, test } from "bun:test";
import { inTransaction } from "#db/client.ts";
import { userStream } from "#src/base/streams/broadcast.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import {
  clearNotifications,
  findNotifications,
  markNotificationsRead,
} from "#src/people/notifications/find-notifications.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { cancelCall, destroyCall } from "#src/play/calls/cancel-call.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { buildEvent, buildRunningSession, type BuiltUser, readSpots } from "#tests/support/build.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { place, Relays } from "./relays.ts";

const { deps, db, build, read } = await testWorld();
const relays = await Relays.open(deps);
const { listener } = relays;
const admin = await build.admin();
afterFile(() => listener.stop());

afterTest(() => relays.stop());

/** An open event of a running session with two new players; what was broadcast before is cleared. */
async function openEvent() {
  const web = relays.start();
  const session = await buildRunningSession(web);
  const event = await buildEvent(web, "open", { sessionId: session.id, durationSeconds: 600 });
  const [ana, ben] = [await build.player(), await build.player()];
  await relays.sendAndClear(web);
  return { web, event, ana, ben };
}

const callMessages = (userId: number) =>
  listener.user(userId).filter(({ sourceType }) => sourceType === "Call");
const callNames = (userId: number) =>
  listener.names(userStream(userId)).filter((name) => name.startsWith("Call/"));

test("a placed call is broadcast to its player only, as the API shows it, with its key, the event's version and the time", async () => {
  const { web, event, ana, ben } = await openEvent();
  const spotId = (await readSpots(web, event.id)).true.id;
  const idempotencyKey = crypto.randomUUID();
  const order = { viewer: ana, spotId, wagerCents: 250, idempotencyKey };
  const { answer } = await placeCall(web, order);
  await waitFor("it", () => callNames(ana.id).length > 0);
  const { version } = await read.event(event.id);
  const [placed, ...others] = callMessages(ana.id);
  expect(placed).toEqual({
    sourceType: "Call",
    eventType: "place_call",
    detail: {
      call: answer.call,
      wallet: await findWalletView(web.pool.db, ana.id),
      idempotencyKey,
      version,
      serverTime: expect.any(String),
    },
  });
  expect(others).toEqual([]);
  expect(answer.call).toMatchObject({ wager: 2.5, wagerCents: 250, state: "placed", cancellable: true });
  // The same request again places nothing.
  await placeCall(web, order);
  await relays.allSent();
  expect(callNames(ana.id)).toEqual(["Call/place_call"]);
  expect(listener.names(userStream(ben.id))).toEqual([]);
});

test("a cancelled call is broadcast once, and a refused cancellation not at all", async () => {
  const { web, event, ana, ben } = await openEvent();
  const callId = await place(web, { user: ana, eventId: event.id, side: "true" });
  await relays.sendAndClear(web);
  const refused = await cancelCall(web, { viewer: ben, callId }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 404 });
  await cancelCall(web, { viewer: ana, callId });
  await cancelCall(web, { viewer: ana, callId });
  await relays.allSent();
  await waitFor("it", () => callNames(ana.id).length > 0);
  expect(callMessages(ana.id)).toMatchObject([
    {
      eventType: "cancel_call",
      detail: { call: { id: callId, state: "soft_destroyed", active: false, cancellable: false } },
    },
  ]);
  expect(listener.user(ana.id).at(-1)).toMatchObject({ detail: { wallet: { heldCents: 0 } } });
  expect(listener.names(userStream(ben.id))).toEqual([]);
});

test("calls that are placed in one batch are broadcast in their order, each to its own player", async () => {
  const { web, event, ana, ben } = await openEvent();
  const placers = [ana, ben, ana, ben, ana];
  const placed = await Promise.all(
    placers.map((user) => place(web, { user, eventId: event.id, side: "false" })),
  );
  await relays.allSent();
  const idsOf = (userId: number) =>
    callMessages(userId).flatMap(({ detail }) => ("call" in detail ? [detail.call.id] : []));
  const expectedOf = (user: BuiltUser) =>
    placed.filter((_, index) => placers[index] === user).toSorted((one, other) => one - other);
  await untilPasses(() => expect([idsOf(ana.id), idsOf(ben.id)]).toEqual([expectedOf(ana), expectedOf(ben)]));
});

test("of a call that was placed and taken back before the relay came to it, both messages show it as it is now", async () => {
  const { event, ana } = await openEvent();
  const callId = await place(deps, { user: ana, eventId: event.id, side: "true" });
  await cancelCall(deps, { viewer: ana, callId });
  relays.start().notifyRelay();
  await waitFor("both", () => callNames(ana.id).length === 2);
  const call = { id: callId, state: "soft_destroyed" };
  expect(callMessages(ana.id)).toMatchObject([
    { eventType: "place_call", detail: { call } },
    { eventType: "cancel_call", detail: { call } },
  ]);
});

test("a call that an admin took back is broadcast to its player with its cause, the wallet and the notification", async () => {
  const { web, event, ana } = await openEvent();
  const callId = await place(web, { user: ana, eventId: event.id, side: "true" });
  await relays.sendAndClear(web);
  await destroyCall(web, { callId, actor: admin, reason: null });
  await relays.allSent();
  const expected = ["Call/cancel_call", "Notification/create"];
  await untilPasses(() => expect(listener.names(userStream(ana.id)).toSorted()).toEqual(expected.toSorted()));
  expect(callMessages(ana.id)).toMatchObject([
    { detail: { call: { id: callId, state: "soft_destroyed", active: false, refundedBy: "admin" } } },
  ]);
});

test.each([
  ["skip", skipEvent],
  ["reset", resetEvent],
] as const)("a %s broadcasts every call that it refunds, with the cause", async (cause, refund) => {
  const { web, event, ana, ben } = await openEvent();
  const mine = [
    await place(web, { user: ana, eventId: event.id, side: "true" }),
    await place(web, { user: ana, eventId: event.id, side: "false" }),
  ];
  const his = await place(web, { user: ben, eventId: event.id, side: "false" });
  await relays.sendAndClear(web);
  await refund(web, { eventId: event.id, actor: admin, reason: "The question was wrong" });
  await relays.allSent();
  await waitFor("his", () => callNames(ben.id).length > 0);
  const refunded = (id: number) => ({
    eventType: "cancel_call",
    detail: {
      call: { id, state: "soft_destroyed", active: false, refundedBy: cause },
      wallet: { heldCents: 0 },
    },
  });
  expect(callMessages(ana.id)).toMatchObject(mine.map(refunded));
  expect(callMessages(ben.id)).toMatchObject([refunded(his)]);
  expect(listener.names(userStream(ana.id))).not.toContain("Wallet/balance_change");
});

const news = (userId: number, title: string) => ({
  userId,
  kind: "refund" as const,
  title,
  body: "$5.00 is back in your wallet.",
  url: null,
});

test("each player gets the own notifications, with the number of unread ones", async () => {
  const web = relays.start();
  const ana = await build.player();
  const ben = await build.player();
  await relays.sendAndClear(web);
  await inTransaction(db, (tx) =>
    writeNotifications(tx, [news(ana.id, "First"), news(ben.id, "His"), news(ana.id, "Second")]),
  );
  web.notifyRelay();
  await waitFor("all three", () => listener.user(ana.id).length === 2 && listener.user(ben.id).length === 1);
  expect(listener.names(userStream(ana.id))).toEqual(["Notification/create", "Notification/create"]);
  expect(listener.user(ana.id)).toMatchObject([
    { detail: { notification: { kind: "refund", title: "First", readAt: null }, unreadCount: 2 } },
    { detail: { notification: { title: "Second" }, unreadCount: 2 } },
  ]);
  expect(listener.user(ben.id)).toMatchObject([
    { detail: { notification: { title: "His" }, unreadCount: 1 } },
  ]);
});

test("a notification that was cleared before it was broadcast is left out", async () => {
  const ana = await build.player();
  const ben = await build.player();
  await writeNotifications(db, [news(ana.id, "Gone"), news(ben.id, "Stays")]);
  await clearNotifications(db, ana.id);
  const web = relays.start();
  web.notifyRelay();
  await relays.allSent();
  expect(listener.names(userStream(ben.id))).toContain("Notification/create");
  expect(listener.names(userStream(ana.id))).not.toContain("Notification/create");
});

test("all windows of a player learn what was read or cleared in one, if anything changed", async () => {
  const web = relays.start();
  const ana = await build.player();
  await writeNotifications(db, [news(ana.id, "First"), news(ana.id, "Second")]);
  const [second, first] = await findNotifications(db, ana.id, 2);
  const [userId, upToId, lastId] = [ana.id, first?.id ?? 0, second?.id ?? 0];
  await markNotificationsRead(db, { userId, upToId });
  await markNotificationsRead(db, { userId, upToId });
  await clearNotifications(db, userId);
  await clearNotifications(db, userId);
  await writeNotifications(db, [news(userId, "Third")]);
  web.notifyRelay();
  const said = () => listener.user(userId).filter(({ eventType }) => eventType === "read");
  await waitFor("the third", () => listener.names(userStream(userId)).at(-1) === "Notification/create");
  expect(said()).toMatchObject([
    { sourceType: "Notification", detail: { upToId } },
    { detail: { upToId: lastId } },
  ]);
});
