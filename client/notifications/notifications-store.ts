import { useEffect } from "react";
import { useRouteLoaderData } from "react-router";
import { NOTIFICATIONS_MAX } from "#src/people/notifications/contract.ts";
import type { NotificationsAnswer, NotificationView } from "#src/people/notifications/schemas.ts";
import { createStore, useStore } from "../base/browser/store.ts";
import type { FrameData } from "../base/page/load-frame.ts";

/** The player's notifications as this page knows them. */
export type NotificationsState = {
  /** Newest first. */
  notifications: readonly NotificationView[];
  /** Includes unread ones that are not in the list. */
  unreadCount: number;
};

type Read = { upToId: number; unreadCount: number; serverTime: string };

const EMPTY: NotificationsState = { notifications: [], unreadCount: 0 };
const store = createStore<NotificationsState | null>(null);
const receivedIds = new Set<number>();
/** What is not newer was cleared on this page. */
let clearedUpToId = 0;

/** The notifications loaded with the page, updated by the cable and by API answers. */
export function useNotifications(): NotificationsState {
  const loaded = useRouteLoaderData<FrameData>("app")?.notifications ?? null;
  const first = loaded === null ? EMPTY : stateOf(loaded);
  useEffect(() => {
    if (loaded !== null) mergeNotifications(loaded);
  }, [loaded]);
  return useStore(store) ?? first;
}

/**
 * Replaces the list by the server's answer. Notifications that the cable brought after the answer was made are kept. What the player
 * has cleared stays away: the answer may be older.
 */
export function mergeNotifications(answer: NotificationsAnswer): void {
  store.set(withoutCleared(keepNewer(answer, store.get()), clearedUpToId));
}

/** Removes the notifications of a list that the player cleared. Newer ones are kept. */
export function removeNotifications(cleared: NotificationsState): void {
  clearedUpToId = cleared.notifications[0]?.id ?? 0;
  store.set(withoutCleared(store.get() ?? EMPTY, clearedUpToId));
}

/** A list with only the notifications after `upToId`. */
export function withoutCleared(list: NotificationsState, upToId: number): NotificationsState {
  const newer = list.notifications.filter(({ id }) => id > upToId);
  if (newer.length === list.notifications.length) return list;
  return { notifications: newer, unreadCount: newer.filter(({ readAt }) => readAt === null).length };
}

/** Adds a notification from the cable. @returns false where the cable has brought it before. */
export function addNotification(received: { notification: NotificationView; unreadCount: number }): boolean {
  const { id } = received.notification;
  if (receivedIds.has(id)) return false;
  receivedIds.add(id);
  const { notifications } = store.get() ?? EMPTY;
  if (notifications.some((listed) => listed.id === id)) return true;
  store.set({
    notifications: [received.notification, ...notifications].slice(0, NOTIFICATIONS_MAX),
    unreadCount: received.unreadCount,
  });
  return true;
}

/** Another window of the player has read or cleared some. Cleared ones stay listed here until the list is opened. */
export function applyRead(read: Read): void {
  const known = store.get();
  if (known !== null) store.set(markAsRead(known, read));
}

/** The list with all notifications up to `upToId` marked as read. */
export function markAsRead(
  { notifications }: NotificationsState,
  { upToId, unreadCount, serverTime }: Read,
): NotificationsState {
  const mark = (row: NotificationView) =>
    row.readAt === null && row.id <= upToId ? { ...row, readAt: serverTime } : row;
  return { notifications: notifications.map(mark), unreadCount };
}

/** An answer, with the known notifications that were created after it was made. */
export function keepNewer(answer: NotificationsAnswer, known: NotificationsState | null): NotificationsState {
  const { notifications, unreadCount } = stateOf(answer);
  const answeredAtMs = Date.parse(answer.meta.serverTime);
  const newer = (known ?? EMPTY).notifications.filter(
    ({ id, createdAt }) =>
      Date.parse(createdAt) > answeredAtMs && !notifications.some((listed) => listed.id === id),
  );
  return {
    notifications: [...newer, ...notifications].slice(0, NOTIFICATIONS_MAX),
    unreadCount: unreadCount + newer.filter(({ readAt }) => readAt === null).length,
  };
}

function stateOf({ notifications, meta }: NotificationsAnswer): NotificationsState {
  return { notifications, unreadCount: meta.unreadCount };
}
