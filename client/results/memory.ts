import type { EventResult } from "#db/lists/events.ts";
import type { NotificationView } from "#src/people/notifications/schemas.ts";
import { readStored, store as storeText } from "../base/browser/storage.ts";

/** A result as this device has shown it. */
export type ShownResult = {
  /** When the action had opened: one that was reset is played again, and its results are no corrections. */
  openedAtMs: number;
  result: EventResult;
  /** What the viewer won or lost; null without a call. */
  netCents: number | null;
  /** The net before the last correction, as this device has shown it; null if there was none. */
  beforeCents: number | null;
};

/** What was shown of a session on this device. */
export type Memory = {
  /** By event id, the longest known first. */
  results: ReadonlyMap<number, ShownResult>;
  /** Refunds up to this notification were shown. */
  notificationId: number;
};

/** Whose memory it is: a player's (0: signed out) of a session. */
export type MemoryOf = { viewerId: number; sessionId: number };

const STORAGE_KEY = "told";
const SESSIONS_MAX = 5;
const RESULTS_MAX = 120;
const words = ["true", "false", "void"] as const;

type Row = [
  eventId: number,
  openedAtMs: number,
  word: number,
  netCents: number | null,
  beforeCents: number | null,
];
type Stored = MemoryOf & { notificationId: number; rows: Row[] };

/** What this device has shown of the session; null if it has never been here. */
export function recall(of: MemoryOf): Memory | null {
  const stored = readAll().find(isOf(of));
  if (stored === undefined) return null;
  const results = stored.rows.map(([eventId, openedAtMs, word, netCents, beforeCents]) => {
    return [eventId, { openedAtMs, result: words[word] ?? "void", netCents, beforeCents }] as const;
  });
  return { results: new Map(results), notificationId: stored.notificationId };
}

/** Stores what this device has shown: of the last sessions, and of each its newest results. Without storage it does nothing. */
export function store(of: MemoryOf, { results, notificationId }: Memory): void {
  const rows = [...results].slice(-RESULTS_MAX).map(([eventId, shown]): Row => {
    const { openedAtMs, result, netCents, beforeCents } = shown;
    return [eventId, openedAtMs, words.indexOf(result), netCents, beforeCents];
  });
  const others = readAll().filter((each) => !isOf(of)(each));
  // Without storage the memory lasts as long as the page.
  storeText(STORAGE_KEY, JSON.stringify([{ ...of, notificationId, rows }, ...others].slice(0, SESSIONS_MAX)));
}

/** Calls `onChange` when another tab of this device has shown something. */
export function followMemory(onChange: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === STORAGE_KEY) onChange();
  };
  globalThis.addEventListener("storage", onStorage);
  return () => globalThis.removeEventListener("storage", onStorage);
}

/** The id of the newest of these notifications; 0 without any. */
export function newestOf(notifications: readonly NotificationView[]): number {
  return notifications.reduce((newest, { id }) => Math.max(newest, id), 0);
}

function isOf({ viewerId, sessionId }: MemoryOf) {
  return (stored: Stored) => stored.viewerId === viewerId && stored.sessionId === sessionId;
}

/** What this code did not write is left out. */
function readAll(): Stored[] {
  try {
    const parsed: Stored[] = JSON.parse(readStored(STORAGE_KEY) ?? "[]");
    return parsed.filter(({ rows }) => rows.every(Array.isArray));
  } catch {
    return [];
  }
}
