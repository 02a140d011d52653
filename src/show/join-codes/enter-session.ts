import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { registrations, removedPlayers, sessions } from "#db/schema/sessions.ts";
import { notFound, Refusal } from "#src/base/refusal.ts";
import { isPrivate } from "#src/play/shut-out.ts";
import { findOwnTeam } from "#src/play/teams/show-teams.ts";

/** `team`: the number of the chosen one; the smallest one if left out. Who was removed after a result comes back into the same team. */
type Entering = { sessionId: number; userId: number; username: string; team: number | undefined };

/**
 * Registers a player who has a session's code. One whom the host has removed needs a newer code than the one of that moment. A session
 * that is over and not private needs no registration.
 * @returns whether the registration is new.
 * @throws Refusal 404 for a session that was deleted meanwhile; 403 for a removed player with the old code.
 */
export async function enterSession(
  tx: Transaction,
  { sessionId, userId, username, team }: Entering,
): Promise<boolean> {
  // Locked against its deletion until the transaction ends.
  const [session] = await tx.select().from(sessions).where(eq(sessions.id, sessionId)).for("key share");
  if (session === undefined) throw notFound();
  const mine = and(eq(removedPlayers.sessionId, sessionId), eq(removedPlayers.userId, userId));
  const [removed] = await tx.select().from(removedPlayers).where(mine);
  if (removed?.joinCode === session.joinCode) throw removedRefusal();
  if (removed !== undefined) await tx.delete(removedPlayers).where(mine);
  // Results stay with their team: who has some comes back into it.
  const { fixed } = await findOwnTeam(tx, { sessionId, userId });
  if (session.state === "stopped" && !isPrivate(session.settings)) return false;
  const made = await tx
    .insert(registrations)
    .values({
      sessionId,
      userId,
      displayName: username,
      team: (fixed ? removed?.team : null) ?? team,
      createdAt: sql`game_now()`,
    })
    .onConflictDoNothing({ target: [registrations.sessionId, registrations.userId] })
    .returning({ id: registrations.id });
  return made.length > 0;
}

function removedRefusal() {
  const sentence = "The host has removed you from this show.";
  return new Refusal(403, "removed", sentence, {
    detail: "A new code lets you in again. Ask the host for it.",
  });
}
