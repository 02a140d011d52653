import { expect, test } from "bun:test";
import { asRead, withNewer } from "#client/notifications/known-notifications.ts";
import type { NotificationView } from "#src/notifications/schemas.ts";

const MINUTE_MS = 60_000;
const noonMs = Date.parse("2026-11-21T12:00:00.000Z");

function told(id: number, minutesAfterNoon: number, { read = false } = {}): NotificationView {
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

/** What the server answered at noon. */
function answered(notifications: NotificationView[], unreadCount: number) {
  const serverTime = new Date(noonMs).toISOString();
  const meta = { currentPage: 1, perPage: 50, totalPages: 1, totalCount: 2, serverTime, unreadCount };
  return { notifications, meta };
}

const idsOf = ({ notifications }: { notifications: readonly NotificationView[] }) =>
  notifications.map(({ id }) => id);

test("an answer takes the place of what was known", () => {
  const list = withNewer(answered([told(2, -1, { read: true })], 0), {
    notifications: [told(2, -1)],
    unreadCount: 1,
  });
  expect(list).toMatchObject({ notifications: [{ id: 2, readAt: expect.any(String) }], unreadCount: 0 });
});

test("what was told after the answer was made stays on top of it, unread", () => {
  const list = withNewer(answered([told(2, -1, { read: true })], 0), {
    notifications: [told(3, 1), told(2, -1)],
    unreadCount: 2,
  });
  expect(idsOf(list)).toEqual([3, 2]);
  expect(list.unreadCount).toBe(1);
});

test("what was cleared in another window does not come back", () => {
  const list = withNewer(answered([], 0), { notifications: [told(2, -1), told(1, -2)], unreadCount: 2 });
  expect(list).toEqual({ notifications: [], unreadCount: 0 });
});

test("a list is never longer than fifty", () => {
  const fifty = Array.from({ length: 50 }, (_, index) => told(50 - index, -1));
  const list = withNewer(answered(fifty, 50), { notifications: [told(51, 1)], unreadCount: 51 });
  expect(list.notifications).toHaveLength(50);
  expect(idsOf(list)[0]).toBe(51);
});

test("what another window has read is read here too, and what came since is not", () => {
  const serverTime = new Date(noonMs).toISOString();
  const known = { notifications: [told(3, 1), told(2, -1), told(1, -2, { read: true })], unreadCount: 2 };
  const list = asRead(known, { upToId: 2, unreadCount: 1, serverTime });
  expect(list.notifications.map(({ readAt }) => readAt !== null)).toEqual([false, true, true]);
  expect(list.unreadCount).toBe(1);
});
