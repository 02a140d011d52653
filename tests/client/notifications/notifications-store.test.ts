import { expect, test } from "bun:test";
import { keepNewer, markAsRead, withoutCleared } from "#client/notifications/notifications-store.ts";
import type { NotificationView } from "#src/people/notifications/schemas.ts";

const MINUTE_MS = 60_000;
const noonMs = Date.parse("2026-11-21T12:00:00.000Z");

function received(id: number, minutesAfterNoon: number, { read = false } = {}): NotificationView {
  const createdAt = new Date(noonMs + minutesAfterNoon * MINUTE_MS).toISOString();
  return {
    id,
    kind: "refund",
    title: `Number ${id}`,
    body: "",
    url: null,
    readAt: read ? createdAt : null,
    createdAt,
  };
}

/** The server's answer at noon. */
function answered(notifications: NotificationView[], unreadCount: number) {
  const serverTime = new Date(noonMs).toISOString();
  const meta = { currentPage: 1, perPage: 50, totalPages: 1, totalCount: 2, serverTime, unreadCount };
  return { notifications, meta };
}

const idsOf = ({ notifications }: { notifications: readonly NotificationView[] }) =>
  notifications.map(({ id }) => id);

test("notifications received after the answer was made stay on top, unread", () => {
  const list = keepNewer(answered([received(2, -1, { read: true })], 0), {
    notifications: [received(3, 1), received(2, -1)],
    unreadCount: 2,
  });
  expect(idsOf(list)).toEqual([3, 2]);
  expect(list.unreadCount).toBe(1);
});

test("notifications cleared in another window do not come back", () => {
  const list = keepNewer(answered([], 0), {
    notifications: [received(2, -1), received(1, -2)],
    unreadCount: 2,
  });
  expect(list).toEqual({ notifications: [], unreadCount: 0 });
});

test("what was cleared on this page does not come back with an older answer, and newer ones stay", () => {
  const older = keepNewer(answered([received(2, -1), received(1, -2)], 2), {
    notifications: [received(3, 1)],
    unreadCount: 1,
  });
  expect(withoutCleared(older, 2)).toEqual({ notifications: [received(3, 1)], unreadCount: 1 });
  const later = { notifications: [received(3, 1)], unreadCount: 60 };
  expect(withoutCleared(later, 2)).toEqual(later);
});

test("notifications read in another window are marked here too; newer ones are not", () => {
  const serverTime = new Date(noonMs).toISOString();
  const known = {
    notifications: [received(3, 1), received(2, -1), received(1, -2, { read: true })],
    unreadCount: 2,
  };
  const list = markAsRead(known, { upToId: 2, unreadCount: 1, serverTime });
  expect(list.notifications.map(({ readAt }) => readAt !== null)).toEqual([false, true, true]);
  expect(list.unreadCount).toBe(1);
});
