import { expect, test } from "bun:test";
import { eq, isNull } from "drizzle-orm";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { notifications } from "#db/schema/notifications.ts";
import { outbox } from "#db/schema/outbox.ts";
import { sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { Relays, writeAndNotify } from "./relays.ts";

/** A slice has 500 calls; these players have three slices. */
const PLAYERS = 21;
const CALLS_EACH = 50;

const { deps, db, build, read, payInParts, timer } = await testWorld();
// One part pays them all.
await payInParts({ partMax: PLAYERS * CALLS_EACH });
const relays = await Relays.open(deps);
const { listener } = relays;
const players = await Promise.all(Array.from({ length: PLAYERS }, () => build.player()));
afterFile(() => listener.stop());

afterTest(() => relays.stop());

/** An open event on which each of the players has the most calls allowed. */
async function buildLargeEvent(): Promise<{ eventId: number; sessionId: number }> {
  const { session, event } = await build.openShow({ durationSeconds: 600 });
  const spots = await read.spots(event.id);
  for (const { id: userId } of players) {
    const placed = await placeCalls(
      deps.pool,
      Array.from({ length: CALLS_EACH }, (_, index) => ({
        userId,
        spotId: (index % 2 === 0 ? spots.true : spots.false).id,
        wagerCents: 1,
        idempotencyKey: `${event.id}-${index}`,
      })),
    );
    expect(placed.every(({ code }) => code === "placed")).toBe(true);
  }
  return { eventId: event.id, sessionId: session.id };
}

const indexesOf = (name: string) =>
  listener.messages.flatMap(({ message: { eventType } }, index) => (eventType === name ? [index] : []));
const resolvedCalls = () =>
  listener.messages.flatMap(({ message }) =>
    message.eventType === "resolve_call" ? [message.detail.call.id] : [],
  );
const everyCall = PLAYERS * CALLS_EACH;

test("while a large close and settlement is broadcast, other messages come in between", async () => {
  const { eventId } = await buildLargeEvent();
  const other = await build.runningSession();
  await relays.sendAndClear(relays.start());
  await relays.stop();

  await timer.close(eventId);
  await timer.settle(eventId);
  await writeAndNotify(deps, [{ kind: "session_changed", sessionId: other.id, change: "update" }]);
  const web = relays.start();
  web.notifyRelay();
  await waitFor("all results", () => resolvedCalls().length >= everyCall);
  await relays.allSent();

  expect(new Set(resolvedCalls()).size).toBe(everyCall);
  expect(resolvedCalls()).toHaveLength(everyCall);
  expect(indexesOf("close_call")).toHaveLength(everyCall);
  const elsewhere = listener.messages.findIndex(({ stream }) => stream === sessionStream(other.id));
  const resolve = indexesOf("resolve")[0] ?? Number.NaN;
  for (const index of [elsewhere, resolve]) {
    expect(index).toBeGreaterThanOrEqual(0);
    expect(index).toBeLessThan(indexesOf("close_call").at(-1) ?? 0);
    expect(index).toBeLessThan(indexesOf("resolve_call").at(-1) ?? 0);
  }
  for (const { id } of players) {
    const names = listener.names(userStream(id)).filter((name) => name !== "Notification/create");
    expect(names.at(-1)).toBe("Call/resolve_call");
    expect(names.lastIndexOf("Call/close_call")).toBeLessThan(names.indexOf("Call/resolve_call"));
  }
});

test("another process continues the broadcasts of a stopped one", async () => {
  const { eventId } = await buildLargeEvent();
  await relays.sendAndClear(relays.start());
  await timer.settle(eventId, "void");
  relays.start().notifyRelay();
  // It still sends the first slice.
  await relays.stop();
  await listener.settled(deps.redis);
  expect(resolvedCalls().length).toBeGreaterThan(0);
  expect(resolvedCalls().length).toBeLessThan(everyCall);
  expect(await db.$count(outbox, isNull(outbox.sentAt))).toBeGreaterThan(0);
  relays.start();
  await waitFor("all results", () => resolvedCalls().length >= everyCall);
  await relays.allSent();
  expect(new Set(resolvedCalls()).size).toBe(everyCall);
  expect(resolvedCalls()).toHaveLength(everyCall);
});

test("a thousand notifications let other messages pass", async () => {
  const other = await build.runningSession();
  await relays.sendAndClear(relays.start());
  await relays.stop();
  const news = { kind: "refund" as const, title: "Back", body: "$1.00 is back in your wallet.", url: null };
  await writeNotifications(
    db,
    Array.from({ length: 1_100 }, (_, index) => ({ ...news, userId: players[index % PLAYERS]?.id ?? 0 })),
  );
  // As one fact: its first slice and the two that are left alternate with other facts, however slow the machine is.
  await db.update(outbox).set({ sentAt: new Date() }).where(isNull(outbox.sentAt));
  const created = await db
    .select({ id: notifications.id })
    .from(notifications)
    .where(eq(notifications.title, news.title));
  await writeAndNotify(deps, [
    { kind: "notifications_created", notificationIds: created.map(({ id }) => id) },
    { kind: "session_changed", sessionId: other.id, change: "update" },
  ]);
  relays.start().notifyRelay();
  await waitFor("all of them", () => indexesOf("create").length >= 1_100);
  await relays.allSent();
  expect(indexesOf("create")).toHaveLength(1_100);
  const elsewhere = listener.messages.findIndex(({ stream }) => stream === sessionStream(other.id));
  expect(elsewhere).toBeLessThan(indexesOf("create").at(-1) ?? 0);
});
