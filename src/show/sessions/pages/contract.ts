// Only what the first script of a page needs: the contracts of sessions and events are fetched with the control room.

/** The most events that the Action screen shows: the first ones of its session. */
export const EVENTS_SHOWN = 100;

/** For this long after a stop it can be undone. */
export const STOP_UNDO_MS = 60_000;

/** How much longer a stop can be undone, in milliseconds: 0 or less for a session that is not over, or over for longer. */
export function leftToUndoStop({ stoppedAt }: { stoppedAt: string | null }, nowMs: number): number {
  return stoppedAt === null ? 0 : Date.parse(stoppedAt) + STOP_UNDO_MS - nowMs;
}
