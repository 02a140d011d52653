import { and, eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { registrations } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { refuseUnfitName } from "#src/base/find-bad-word.ts";
import { type MaybeKeyed, once } from "#src/base/once.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { present } from "#src/http/present.ts";
import { can } from "#src/people/sign-ins/require-host.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { refuseLocked } from "#src/play/access-denied.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { lockNamed, requireOpenSession } from "./find-session.ts";
import { type registerPlayerBody, registrationSchema, type RegistrationView } from "./schemas.ts";

export type RegisterPlayer = v.InferOutput<typeof registerPlayerBody> & { slugOrId: string; viewer: Viewer };

/**
 * Registers a player for a session. A player who is already registered, also by a first call, keeps that registration.
 * @returns the registration, and whether it is new.
 * @throws Refusal 404 for an unknown session and one that is shut for the player; 403 for a locked room; 422 for a stopped one, unless the player is already registered, and for a
 *   display name with an insult.
 */
export function registerPlayer(
  { pool }: Pick<Deps, "pool">,
  { slugOrId, viewer, displayName = viewer.username, team }: RegisterPlayer,
  keyed: MaybeKeyed = null,
): Promise<{ registration: RegistrationView; created: boolean }> {
  if (displayName !== viewer.username) refuseUnfitName({ displayName });
  return inTransaction(pool.db, async (tx) => {
    const session = await lockNamed(tx, slugOrId);
    await requireSessionId(tx, String(session.id), viewer);
    const key = { sessionId: session.id, userId: viewer.id };
    const { created } = await once(tx, keyed, registered, async () => {
      await refuseLocked(tx, session, viewer.id);
      const isOver = session.state === "stopped";
      return { created: !isOver && (await insertRegistration(tx, { ...key, displayName, team })) };
    });
    const row = await find(tx, key);
    if (row === undefined) throw invalid({ session: ["is invalid"] }, { detail: "This session is over." });
    return { registration: presentRegistration(row), created };
  });
}

const registered = v.object({ created: v.boolean() });

type RegistrationKey = Pick<RegistrationRow, "sessionId" | "userId">;

/** @param values `team`: the smallest one if left out. @returns false for a player who is registered already. */
export async function insertRegistration(
  tx: Transaction,
  values: RegistrationKey & { displayName: string; team: number | undefined },
): Promise<boolean> {
  const made = await tx
    .insert(registrations)
    .values({ ...values, createdAt: sql`game_now()` })
    .onConflictDoNothing({ target: [registrations.sessionId, registrations.userId] })
    .returning({ userId: registrations.userId });
  return made.length > 0;
}

async function find(
  tx: Transaction,
  { sessionId, userId }: RegistrationKey,
): Promise<RegistrationRow | undefined> {
  const [row] = await tx
    .select()
    .from(registrations)
    .where(and(eq(registrations.sessionId, sessionId), eq(registrations.userId, userId)));
  return row;
}

/** One registration of a session: players can read their own, who runs it all. */
export async function showRegistration(
  db: Queryable,
  { slugOrId, registrationId, viewer }: { slugOrId: string; registrationId: number; viewer: Viewer },
): Promise<{ registration: RegistrationView }> {
  const { id: sessionId } = await requireOpenSession(db, slugOrId, viewer);
  const own = can(viewer, "run", { id: sessionId }) ? undefined : eq(registrations.userId, viewer.id);
  const [row] = await db
    .select()
    .from(registrations)
    .where(and(eq(registrations.id, registrationId), eq(registrations.sessionId, sessionId), own));
  if (row === undefined) throw notFound();
  return { registration: presentRegistration(row) };
}

type RegistrationRow = typeof registrations.$inferSelect;

const presentRegistration = (row: RegistrationRow): RegistrationView => present(registrationSchema, row);
