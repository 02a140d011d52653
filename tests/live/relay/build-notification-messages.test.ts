import { expect, test } from "bun:test";
import { inTransaction } from "#db/client.ts";
import { userStream } from "#src/base/streams/broadcast.ts";
import { findNotifications } from "#src/people/notifications/find-notifications.ts";
import {
  clearNotifications,
  markNotificationsRead,
} from "#src/people/notifications/mark-notifications-read.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { Relays } from "./relays.ts";

const deps = await testDeps();
const relays = await Relays.open(deps);
const { listener } = relays;
afterFile(() => listener.stop());

afterTest(() => relays.stop());

const news = (userId: number, title: string) => ({
  userId,
  kind: "refund" as const,
  title,
  body: "$5.00 is back in your wallet.",
  url: null,
});

test("each player gets the own notifications, with the number of unread ones", async () => {
  const web = relays.start();
  const ana = await buildPlayer(deps);
  const ben = await buildPlayer(deps);
  await relays.sendAndClear(web);
  await inTransaction(deps.pool.db, (tx) =>
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
  const ana = await buildPlayer(deps);
  const ben = await buildPlayer(deps);
  await writeNotifications(deps.pool.db, [news(ana.id, "Gone"), news(ben.id, "Stays")]);
  await clearNotifications(deps.pool.db, ana.id);
  const web = relays.start();
  web.notifyRelay();
  await relays.allSent();
  expect(listener.names(userStream(ben.id))).toContain("Notification/create");
  expect(listener.names(userStream(ana.id))).not.toContain("Notification/create");
});

test("a notification whose transaction fails is not broadcast", async () => {
  const ana = await buildPlayer(deps);
  const ben = await buildPlayer(deps);
  const web = relays.start();
  const failing = inTransaction(deps.pool.db, async (tx) => {
    await writeNotifications(tx, [news(ana.id, "Never")]);
    throw new Error("It fails after all");
  });
  await failing.catch(() => undefined);
  await writeNotifications(deps.pool.db, [news(ben.id, "After it")]);
  web.notifyRelay();
  await relays.allSent();
  expect(listener.names(userStream(ben.id))).toContain("Notification/create");
  expect(listener.names(userStream(ana.id))).not.toContain("Notification/create");
});

test("all windows of a player learn what was read or cleared in one, if anything changed", async () => {
  const web = relays.start();
  const ana = await buildPlayer(deps);
  await writeNotifications(deps.pool.db, [news(ana.id, "First"), news(ana.id, "Second")]);
  const [second, first] = await findNotifications(deps.pool.db, ana.id, 2);
  const [userId, upToId, lastId] = [ana.id, first?.id ?? 0, second?.id ?? 0];
  await markNotificationsRead(deps.pool.db, { userId, upToId });
  await markNotificationsRead(deps.pool.db, { userId, upToId });
  await clearNotifications(deps.pool.db, userId);
  await clearNotifications(deps.pool.db, userId);
  await writeNotifications(deps.pool.db, [news(userId, "Third")]);
  web.notifyRelay();
  const said = () => listener.user(userId).filter(({ eventType }) => eventType === "read");
  await waitFor("the third", () => listener.names(userStream(userId)).at(-1) === "Notification/create");
  expect(said()).toMatchObject([
    { sourceType: "Notification", detail: { upToId } },
    { detail: { upToId: lastId } },
  ]);
});
