import { and, eq, gte, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { events, spots } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { makeOnce, type MaybeKeyed } from "#src/base/once.ts";
import { invalid } from "#src/base/refusal.ts";
import { announceNext, planNext, writeColumns } from "./move-event.ts";
import { openLockedEvent, publishLockedEvent } from "./open-event.ts";
import { attachPictures, type Pictures, storePictures } from "./question-picture.ts";
import { checkTerms, readEventTerms } from "./read-event-terms.ts";
import { durationUntil, followsAnother, readSettings, replan } from "./schedule.ts";
import type { CreateEventBody } from "./schemas.ts";
import { auditEvent, type EventRow, isLive, type LockedEvent, lockEvent, setAlarms } from "./with-event.ts";

type SessionRow = typeof sessions.$inferSelect;
export type CreateEvent = CreateEventBody & { actor: { id: number } };

/**
 * Adds a draft with its two spots to a session, at the end or at a position; later events move up by one. With `ask` it is
 * published and opened at once. In a session that has started, a draft with a start mode is part of the plan: it opens after the
 * close or the result of the event before it. Without one it opens when the host says.
 * @throws Refusal 422 for an unknown or stopped session, for `ask` in a session that is not running, for a position in a
 *   session that has started, for dates that do not fit, and for limits that no wager fits.
 * @returns the event's id.
 */
export async function createEvent(
  deps: Deps,
  order: CreateEvent,
  keyed: MaybeKeyed = null,
): Promise<{ id: number }> {
  const pictures = await storePictures(deps, order.actor, [order]);
  const added: AddedEvent[] = [];
  const id = await makeOnce(deps.pool.db, keyed, async (tx) => {
    const one = await addEvent(tx, order, pictures);
    added.push(one);
    return { id: one.event.id };
  });
  deps.notifyRelay();
  for (const { event, planned, at, sinceMs } of added) setAlarms(deps, [event, ...planned], at, sinceMs);
  return { id };
}

/** What was added, and the moves that follow from it. */
type AddedEvent = { event: EventRow } & Pick<
  Awaited<ReturnType<typeof lockEvent>>,
  "planned" | "at" | "sinceMs"
>;

async function addEvent(
  tx: Transaction,
  { ask, opensAt, closesAt, ...draft }: CreateEvent,
  pictures: Pictures,
): Promise<AddedEvent> {
  const session = await lockSession(tx, draft.sessionId);
  if (ask && session.state !== "running") {
    throw invalid({ ask: ["is invalid"] }, { detail: "The session is not running." });
  }
  if (ask && opensAt !== undefined) {
    throw invalid({ opensAt: ["is invalid"] }, { detail: "What is asked opens at once." });
  }
  const { id: eventId } = await insertDraft(tx, { session, pictures }, draft);
  await attachPictures(tx, pictures);
  const found = await lockEvent(tx, { eventId, actor: draft.actor });
  const base = opensAt ?? (ask ? new Date(found.at) : null);
  const locked = { ...found, event: await writeDates(tx, found, { opensAt, closesAt, base }) };
  if (!ask) {
    await planNext(tx, locked, null);
    await announceNext(tx, locked);
    return { ...locked, event: locked.planned.find(({ id }) => id === eventId) ?? locked.event };
  }
  const visible = await publishLockedEvent(tx, locked);
  return { ...locked, event: await openLockedEvent(tx, { ...locked, event: visible }) };
}

/** Plans a new event by its dates. @returns its row. */
async function writeDates(
  tx: Transaction,
  locked: LockedEvent,
  { opensAt, closesAt, base }: { opensAt: Date | undefined; closesAt: Date | undefined; base: Date | null },
): Promise<EventRow> {
  if (opensAt === undefined && closesAt === undefined) return locked.event;
  const dates = {
    ...(opensAt === undefined ? {} : { opensAt }),
    ...(closesAt === undefined ? {} : { durationSeconds: durationUntil(closesAt, base) }),
  };
  return writeColumns(tx, locked, { ...dates, ...replan(locked, dates) });
}

async function lockSession(tx: Transaction, sessionId: number): Promise<SessionRow> {
  const [session] = await tx.select().from(sessions).where(eq(sessions.id, sessionId)).for("no key update");
  if (session === undefined) throw invalid({ session: ["must exist"] });
  if (session.state === "stopped") {
    throw invalid({ session: ["is invalid"] }, { detail: "The session is over." });
  }
  return session;
}

/** True if it waits for the event before it. */
const waits = (session: SessionRow, { startMode }: Pick<CreateEvent, "startMode">) =>
  isLive(session) && startMode !== undefined && followsAnother({ startMode });

async function insertDraft(
  tx: Transaction,
  { session, pictures }: { session: SessionRow; pictures: Pictures },
  { actor, position, ...body }: Omit<CreateEvent, "ask">,
): Promise<EventRow> {
  const terms = readEventTerms(body, pictures);
  checkTerms(terms);
  const [event] = await tx
    .insert(events)
    .values({
      ...terms,
      position: await positionFor(tx, session, position),
      leadSeconds: readSettings(session).leadSeconds,
      nextTransition: waits(session, body) ? "publish_event" : null,
      createdById: actor.id,
    })
    .returning();
  if (event === undefined) throw new Error("INSERT returned no row");
  await tx.insert(spots).values([
    { eventId: event.id, side: "true" },
    { eventId: event.id, side: "false" },
  ]);
  const after = { title: event.title, position: event.position };
  await auditEvent(tx, { event, actor }, { action: "create_event", after });
  return event;
}

/** @returns the position of the new event: the given one, from which later events have moved up, or the last. */
async function positionFor(
  tx: Transaction,
  session: SessionRow,
  position: number | undefined,
): Promise<number> {
  const ofSession = eq(events.sessionId, session.id);
  if (position === undefined) {
    const [last] = await tx
      .select({ next: sql<number>`coalesce(max(${events.position}), 0) + 1` })
      .from(events)
      .where(ofSession);
    return last?.next ?? 1;
  }
  if (session.state !== "pending") {
    throw invalid({ position: ["is invalid"] }, { detail: "The session has started: its order stands." });
  }
  await tx
    .update(events)
    .set({ position: sql`${events.position} + 1` })
    .where(and(ofSession, gte(events.position, position)));
  return position;
}
