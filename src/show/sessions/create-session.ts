import { eq, inArray, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { events, spots } from "#db/schema/events.ts";
import { messages, mutes } from "#db/schema/messages.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { refuseUnfitName } from "#src/base/find-bad-word.ts";
import { makeOnce, type MaybeKeyed } from "#src/base/once.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { hasDependents, invalid } from "#src/base/refusal.ts";
import { isPrivate } from "#src/play/access-denied.ts";
import { slugFrom } from "#src/play/slug-from.ts";
import { refuseUnfitTeams } from "#src/play/teams/refuse-unfit-teams.ts";
import { checkBrand, discardLogo, mergeBrand, withBrand } from "#src/show/brands/change-brand.ts";
import { notifyCalledOff } from "./notify-players.ts";
import { type CreateSessionBody, sessionSettings } from "./schemas.ts";
import { auditSession, type SessionCommand, type SessionRow, termsOf, withSession } from "./with-session.ts";

/**
 * Creates a pending session without events.
 * @returns the session's id.
 * @throws Refusal 422 for a slug that is taken, a name with an insult, teams that refuseUnfitTeams refuses, and a brand that checkBrand
 *   refuses.
 */
export async function createSession(
  deps: Pick<Deps, "pool" | "env" | "store">,
  { actor, settings: { brand, ...settings } = {}, ...terms }: CreateSessionBody & { actor: Actor },
  keyed: MaybeKeyed,
): Promise<{ id: number }> {
  refuseUnfitName({ name: terms.name });
  refuseUnfitTeams(settings.teams, "settings.teams");
  const change = await checkBrand(deps, { brand, viewer: actor, at: "settings.brand" });
  const id = await makeOnce(deps.pool.db, keyed, async (tx) => {
    const session = await insertSession(tx, {
      ...terms,
      settings: v.parse(sessionSettings, withBrand(settings, mergeBrand(undefined, change))),
    });
    const after = { slug: session.slug, ...termsOf(session) };
    await auditSession(tx, { session, actor }, { action: "create_session", after });
    return { id: session.id };
  });
  return { id };
}

/** The advisory lock's class. Transactions that look for the same free slug run one at a time. */
const SLUG_LOCK = 7703;

const numbered = (base: string) => `^${base}-([0-9]{1,9})$`;

/** A free slug can only be lost to an admin who enters the same one by hand at the same moment. */
const ATTEMPTS_MAX = 3;

type NewSession = Omit<typeof sessions.$inferInsert, "slug" | "state" | "active"> & {
  /** Made from the name if left out. */
  slug?: string | undefined;
};

/**
 * Inserts a pending session under a unique slug.
 * @throws Refusal 422 for a slug that is taken.
 */
export async function insertSession(tx: Transaction, { slug, ...values }: NewSession): Promise<SessionRow> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const [session] = await tx
      .insert(sessions)
      .values({ ...values, slug: slug ?? (await findFreeSlug(tx, values.name)) })
      .onConflictDoNothing({ target: sessions.slug })
      .returning();
    if (session !== undefined) return session;
    if (slug !== undefined) break;
  }
  throw invalid({ slug: ["has already been taken"] });
}

/**
 * A free slug for a session of this name: `friday-night`, then `friday-night-2`. No other transaction gets the same one until
 * this one ends.
 */
async function findFreeSlug(tx: Transaction, name: string): Promise<string> {
  const base = slugFrom(name);
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${SLUG_LOCK}::int, hashtext(${base}))`);
  const [row] = await tx
    .select({
      taken: sql<boolean>`bool_or(${sessions.slug} = ${base})`,
      last: sql<number | null>`max(substring(${sessions.slug} from ${numbered(base)})::int)`,
    })
    .from(sessions)
    .where(sql`${sessions.slug} ~ ${`^${base}(-[0-9]{1,9})?$`}`);
  if (row?.taken !== true) return base;
  return `${base}-${(row.last ?? 1) + 1}`;
}

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
