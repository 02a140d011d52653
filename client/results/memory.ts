import type { EventResult } from "#db/lists/events.ts";
import type { NotificationView } from "#src/people/notifications/schemas.ts";

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
  try {
    localStorage.setItem(
      STORAGE_KEY,
      JSON.stringify([{ ...of, notificationId, rows }, ...others].slice(0, SESSIONS_MAX)),
    );
  } catch {
    // Without storage the memory lasts as long as the page.
  }
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

/** An entry that this code did not write is left out. */
function readAll(): Stored[] {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(parsed) ? parsed.filter(isStored) : [];
  } catch {
    return [];
  }
}

function isStored(value: unknown): value is Stored {
  if (typeof value !== "object" || value === null) return false;
  if (!("viewerId" in value && "sessionId" in value && "notificationId" in value && "rows" in value))
    return false;
  const { viewerId, sessionId, notificationId, rows } = value;
  const ids = [viewerId, sessionId, notificationId];
  return ids.every((id) => typeof id === "number") && Array.isArray(rows) && rows.every(isRow);
}

function isRow(value: unknown): value is Row {
  if (!Array.isArray(value)) return false;
  const [eventId, openedAtMs, word, ...amounts]: readonly unknown[] = value;
  const isAmount = (amount: unknown) => amount === null || typeof amount === "number";
  const numbers = [eventId, openedAtMs, word];
  return numbers.every((each) => typeof each === "number") && amounts.every(isAmount);
}
