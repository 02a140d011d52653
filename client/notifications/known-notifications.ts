import { useEffect, useSyncExternalStore } from "react";
import { useRouteLoaderData } from "react-router";
import { NOTIFICATIONS_MAX } from "#src/notifications/contract.ts";
import type { NotificationsAnswer, NotificationView } from "#src/notifications/schemas.ts";
import type { FrameData } from "../load-frame.ts";

/** What this page knows of the player's notifications. */
export type Known = {
  /** Newest first. */
  notifications: readonly NotificationView[];
  /** Those that are not in the list included. */
  unreadCount: number;
};

type Read = { upToId: number; unreadCount: number; serverTime: string };

const NOTHING: Known = { notifications: [], unreadCount: 0 };
const listeners = new Set<() => void>();
const toldIds = new Set<number>();
let known: Known | null = null;

/** The notifications as they came with the page, kept up to date by the cable and by answers. */
export function useNotifications(): Known {
  const loaded = useRouteLoaderData<FrameData>("app")?.notifications ?? null;
  const first = loaded === null ? NOTHING : knownFrom(loaded);
  useEffect(() => {
    if (loaded !== null) takeNotifications(loaded);
  }, [loaded]);
  const newest = useSyncExternalStore(
    subscribe,
    () => known,
    () => null,
  );
  return newest ?? first;
}

/** Takes a list that the server answered; what the cable told since it was asked for stays on top of it. */
export function takeNotifications(answer: NotificationsAnswer): void {
  keep(withNewer(answer, known));
}

/** All are gone, up to the newest that was shown. */
export function forgetNotifications(shown: Known): void {
  const lastId = shown.notifications[0]?.id ?? 0;
  const since = (known ?? NOTHING).notifications.filter(({ id }) => id > lastId);
  keep({ notifications: since, unreadCount: since.length });
}

/**
 * The cable tells of a new one. A list that was loaded meanwhile may hold it already.
 * @returns false where it was told before.
 */
export function hearNotification(told: { notification: NotificationView; unreadCount: number }): boolean {
  const { id } = told.notification;
  if (toldIds.has(id)) return false;
  toldIds.add(id);
  const { notifications } = known ?? NOTHING;
  if (notifications.some((listed) => listed.id === id)) return true;
  keep({
    notifications: [told.notification, ...notifications].slice(0, NOTIFICATIONS_MAX),
    unreadCount: told.unreadCount,
  });
  return true;
}

/** Another window has read or cleared some. What was cleared goes when the list is opened. */
export function hearRead(read: Read): void {
  if (known !== null) keep(asRead(known, read));
}

/** A list in which those up to the one named are read. */
export function asRead({ notifications }: Known, { upToId, unreadCount, serverTime }: Read): Known {
  const mark = (row: NotificationView) =>
    row.readAt === null && row.id <= upToId ? { ...row, readAt: serverTime } : row;
  return { notifications: notifications.map(mark), unreadCount };
}

/** An answer, with what was told after it was made. */
export function withNewer(answer: NotificationsAnswer, told: Known | null): Known {
  const { notifications, unreadCount } = knownFrom(answer);
  const answeredAtMs = Date.parse(answer.meta.serverTime);
  const newer = (told ?? NOTHING).notifications.filter(
    ({ id, createdAt }) =>
      Date.parse(createdAt) > answeredAtMs && !notifications.some((listed) => listed.id === id),
  );
  return {
    notifications: [...newer, ...notifications].slice(0, NOTIFICATIONS_MAX),
    unreadCount: unreadCount + newer.filter(({ readAt }) => readAt === null).length,
  };
}

function knownFrom({ notifications, meta }: NotificationsAnswer): Known {
  return { notifications, unreadCount: meta.unreadCount };
}

function keep(next: Known): void {
  known = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
