import { type SQL, sql } from "drizzle-orm";
import type { Queryable, Transaction } from "#db/client.ts";
import { raiseStatementTimeout } from "#db/ledger/large-settlement.ts";
import { writeIntegerArray } from "#db/ledger/query.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import type { Deps } from "#src/base/deps.ts";
import { measureLateness } from "#src/base/instruments.ts";
import { cannotTransitionVia } from "#src/base/refusal.ts";
import { requireNoStake } from "#src/play/calls/require-no-stake.ts";
import { measureTimer, readMoved, requireTransition } from "./move-event.ts";
import {
  type Commands,
  createBatchedVerb,
  type EventCommand,
  type EventRow,
  type LockedEvent,
  moveOne,
  withEvent,
} from "./with-event.ts";

/** Concurrent closes of timers share a transaction. */
export const closeTogether = createBatchedVerb({
  transition: "close_event",
  change: closeLockedEvents,
  inOneTrip: closeDueEvents,
});

/**
 * Closes an open event for calls. Calls that arrive after `closesAt` are refused by the clock even before this transition, and calls that
 * arrived before it are placed after it too, also where a host closes: db/sql/functions/judge-calls.sql.
 * @throws Refusal 422 unless it is open; 403 for an actor who has a call on it.
 */
export function closeEvent(deps: Deps, command: EventCommand): Promise<EventRow> {
  if (command.actor === null) return closeTogether(deps, command);
  return withEvent(deps, command, async (tx, locked) => {
    requireTransition(locked, "close_event");
    await requireNoStake(tx, locked, "close it");
    return closeLockedEvent(tx, locked);
  });
}

/** Closes an event as part of a larger change, within a transaction that holds its gate. */
export function closeLockedEvent(tx: Transaction, locked: LockedEvent): Promise<EventRow> {
  return moveOne(tx, locked, closeLockedEvents);
}

/** The same for many events of one actor, whose sessions share one clock: see moveEvents. */
export async function closeLockedEvents(
  tx: Transaction,
  locked: readonly LockedEvent[],
): Promise<EventRow[]> {
  const [first] = locked;
  if (first === undefined) return [];
  for (const each of locked) {
    requireTransition(each, "close_event");
    measureTimer(each, "close_event");
  }
  const { at, actor, session } = first;
  const ids = writeIntegerArray(locked.map(({ event }) => event.id));
  const fences = writeIntegerArray(locked.map(({ fence = null }) => fence));
  const pausedAt = session?.pausedAt?.toISOString() ?? null;
  // Both are sent together; Postgres runs the second after the first.
  const [, closed] = await Promise.all([
    raiseStatementTimeout(tx),
    readClosed(
      tx,
      sql`close_events(${ids}::bigint[], ${fences}::bigint[], ${at}::timestamptz, ${pausedAt}::timestamptz,
        ${actor?.id ?? null}::bigint, ${actor?.accessTokenId ?? null}::bigint)`,
    ),
  ]);
  return closed;
}

/** Closes the events of timers in one trip, where nothing is to be waited for. */
async function closeDueEvents({ pool }: Deps, commands: Commands): Promise<EventRow[]> {
  if (commands.size === 0) return [];
  const ids = writeIntegerArray([...commands.keys()]);
  const versions = writeIntegerArray([...commands.values()].map(({ version = null }) => version));
  const closed = await readClosed(
    pool.db,
    sql`close_due_events(${ids}::bigint[], ${versions}::int[], NULL::bigint[])`,
  );
  for (const { closesAt, closedAt } of closed) {
    if (closesAt !== null && closedAt !== null) measureLateness("close_event", closesAt, closedAt);
  }
  return closed;
}

async function readClosed(db: Queryable, closing: SQL): Promise<EventRow[]> {
  try {
    return await readMoved(db, closing);
  } catch (error) {
    if (error instanceof LedgerRefusal && error.code === "wrong_state") throw cannotTransitionVia("Close");
    throw error;
  }
}
