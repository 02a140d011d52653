import { eq, inArray } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { events, spots } from "#db/schema/events.ts";
import { messages, mutes } from "#db/schema/messages.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { hasDependents } from "#src/base/refusal.ts";
import { isPrivate } from "#src/play/access-denied.ts";
import { discardLogo } from "#src/show/brands/change-brand.ts";
import { notifyCalledOff } from "./notify-players.ts";
import { sessionSettings } from "./schemas.ts";
import { termsOf } from "./session-terms.ts";
import { auditSession, type SessionCommand, type SessionRow, withSession } from "./with-session.ts";

/**
 * Deletes a session that has not started, with its events. If it was active, no session is active afterwards.
 * @throws Refusal 404 for an unknown session; 422 once it has started (its events are history then), and if it has calls,
 *   registrations or messages.
 */
export async function destroySession(deps: Deps, command: SessionCommand): Promise<void> {
  await withSession(deps, command, async (tx, { session, actor }) => {
    await requireNoDependents(tx, session);
    const ofSession = eq(events.sessionId, session.id);
    const eventIds = tx.select({ id: events.id }).from(events).where(ofSession);
    await tx.delete(spots).where(inArray(spots.eventId, eventIds));
    await tx.delete(events).where(ofSession);
    await notifyCalledOff(tx, session);
    await tx.delete(mutes).where(eq(mutes.sessionId, session.id));
    await tx.delete(sessions).where(eq(sessions.id, session.id));
    await discardLogo(tx, v.parse(sessionSettings, session.settings).brand?.logo);
    await writeFact(tx, {
      kind: "session_destroyed",
      sessionId: session.id,
      version: session.version + 1,
      private: isPrivate(session.settings),
    });
    const before = { slug: session.slug, ...termsOf(session) };
    await auditSession(tx, { session, actor }, { action: "destroy_session", before });
    return session;
  });
}

async function requireNoDependents(tx: Transaction, { id, state }: SessionRow): Promise<void> {
  // Blocks registrations and messages from here on: both lock this row.
  await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, id)).for("update");
  const eventIds = tx.select({ id: events.id }).from(events).where(eq(events.sessionId, id));
  if ((await tx.$count(calls, inArray(calls.eventId, eventIds))) > 0) throw hasDependents("calls");
  if ((await tx.$count(registrations, eq(registrations.sessionId, id))) > 0) {
    throw hasDependents("registrations");
  }
  if ((await tx.$count(messages, eq(messages.sessionId, id))) > 0) throw hasDependents("messages");
  if (state !== "pending")
    throw hasDependents("events", "Only a session that has not started can be deleted.");
}
