import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { conflict } from "#src/base/refusal.ts";
import { replan } from "#src/events/replan.ts";
import { tellUpdates } from "#src/events/tell-updates.ts";
import { type EventRow, showTime } from "#src/events/with-event.ts";
import { writeFact } from "#src/outbox/write-fact.ts";
import { planOrder, type Unopened } from "./plan-order.ts";
import { type LockedSession, type SessionOrder, type SessionRow, withSession } from "./with-session.ts";

/**
 * Puts all events of a session that have not opened into another order, all or nothing. Among the others they stay where
 * they are. In a live session they are planned anew: see plan-order.ts.
 * @param order `eventIds`: each event that has not opened once, in the new order.
 * @throws Refusal 404 for a session that is not there; 409 where these are not the events that have not opened, by now.
 */
export function reorderEvents(deps: Deps, order: Reorder): Promise<SessionRow> {
  const { eventIds } = order;
  return withSession(deps, order, async (tx, locked) => {
    const before = await lockUnopened(tx, locked);
    const after = eventIds.flatMap((id) => before.find((event) => event.id === id) ?? []);
    if (after.length !== eventIds.length || after.length !== before.length) {
      throw conflict("What can be reordered has changed meanwhile. Look again.");
    }
    const changed = await writeOrder(tx, locked, { before, after });
    if (changed.length === 0) return { session: locked.session, rescheduled: [] };
    await tellUpdates(tx, changed);
    await auditOrder(tx, locked, { before, after });
    return { session: await touchSession(tx, locked), rescheduled: changed };
  });
}

type Reorder = SessionOrder & { eventIds: readonly number[] };

function lockUnopened(tx: Transaction, { session }: LockedSession): Promise<EventRow[]> {
  return tx
    .select()
    .from(events)
    .where(and(eq(events.sessionId, session.id), inArray(events.state, ["draft", "visible"])))
    .orderBy(asc(events.position), asc(events.id))
    .for("no key update")
    .execute();
}

type Orders = { before: readonly EventRow[]; after: readonly EventRow[] };

/** @returns the events whose place or time has changed, as they stand now. */
async function writeOrder(
  tx: Transaction,
  locked: LockedSession,
  { before, after }: Orders,
): Promise<EventRow[]> {
  const nowMs = Date.parse(showTime(locked));
  const moments = new Map(
    planOrder(before.map(unopened), after.map(unopened), nowMs).map((plan) => [plan.id, plan.opensAtMs]),
  );
  const places = risingPlaces(before);
  const changed: EventRow[] = [];
  for (const [index, event] of after.entries()) {
    const opensAtMs = moments.get(event.id);
    const position = places[index] ?? event.position;
    if (position === event.position && opensAtMs === undefined) continue;
    const times = opensAtMs === undefined ? {} : { opensAt: new Date(opensAtMs) };
    changed.push(...(await writePlace(tx, { ...locked, event }, { position, ...times })));
  }
  return changed;
}

/** The time of an event that does not open by itself is no plan. */
function unopened(event: EventRow): Unopened {
  const isPlanned = event.nextTransition !== null;
  return { ...event, opensAtMs: isPlanned ? (event.opensAt?.getTime() ?? null) : null };
}

/** The places that the events hold, each above the one before. */
function risingPlaces(before: readonly EventRow[]): number[] {
  let last = 0;
  return before.map(({ position }) => (last = Math.max(position, last + 1)));
}

function writePlace(
  tx: Transaction,
  { event, session, actor, at }: LockedSession & { event: EventRow },
  change: { position: number; opensAt?: Date },
): Promise<EventRow[]> {
  const { position, ...times } = change;
  return tx
    .update(events)
    .set({
      position,
      ...times,
      ...replan({ event, session, actor, at, timed: false }, times),
      scheduleVersion: sql`${events.scheduleVersion} + 1`,
      version: sql`${events.version} + 1`,
      updatedAt: sql`${at}::timestamptz`,
    })
    .where(eq(events.id, event.id))
    .returning()
    .execute();
}

function auditOrder(
  tx: Transaction,
  { session, actor }: LockedSession,
  { before, after }: Orders,
): Promise<void> {
  return writeAudit(tx, {
    actor,
    action: "reorder_events",
    subject: { type: "session", id: session.id },
    sessionId: session.id,
    before: { eventIds: before.map(({ id }) => id) },
    after: { eventIds: after.map(({ id }) => id) },
  });
}

/** Of drafts nobody is told one by one: whoever runs the show hears it of the session. */
async function touchSession(tx: Transaction, { session, at }: LockedSession): Promise<SessionRow> {
  const [touched] = await tx
    .update(sessions)
    .set({ version: sql`${sessions.version} + 1`, updatedAt: sql`${at}::timestamptz` })
    .where(eq(sessions.id, session.id))
    .returning();
  if (touched === undefined) throw new Error(`session ${session.id} is gone although its row is locked`);
  await writeFact(tx, { kind: "session_changed", sessionId: session.id, change: "update" });
  return touched;
}
