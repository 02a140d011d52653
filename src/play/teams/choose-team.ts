import { and, eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { recordPlayerChange } from "#src/base/outbox/record-leaderboard-change.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { refuseLocked } from "#src/play/access-denied.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { findOwnTeam } from "./find-teams.ts";
import { storedTeams, type TeamAnswer } from "./schemas.ts";

// Decision: a player chooses until the first result, because afterwards everybody would move to the team that leads. A host can move a
// player until the session is over.

type Choice = { slugOrId: string; number: number };

/**
 * Puts a player into the team of their choice, and registers those who have not joined.
 * @throws Refusal 404 for an unknown session, and one that is shut for the player; 403 for a locked room, to those who have not joined;
 *   422 for an unknown team, after the player's first
 *   result, and after the session.
 */
export function chooseTeam(
  { pool }: Pick<Deps, "pool">,
  { slugOrId, number, viewer }: Choice & { viewer: Viewer },
): Promise<TeamAnswer> {
  return inTransaction(pool.db, async (tx) => {
    const sessionId = await requireSessionId(tx, slugOrId, viewer);
    const { name, session } = await lockTeam(tx, sessionId, number);
    const key = { sessionId, userId: viewer.id };
    const { team, fixed } = await findOwnTeam(tx, key);
    if (fixed && team !== number) throw isFixed();
    await refuseLocked(tx, { id: sessionId, settings: session.settings }, viewer.id);
    await tx
      .insert(registrations)
      .values({ ...key, displayName: viewer.username, team: number, createdAt: sql`game_now()` })
      .onConflictDoUpdate({
        target: [registrations.sessionId, registrations.userId],
        set: { team: number },
      });
    return { team: { ...key, number, name } };
  });
}

/**
 * Moves a player who has joined into a team, for a host. The player is told, and the team scores of open pages follow.
 * @throws Refusal 404 for an unknown session or user; 422 for an unknown team, a player who has not joined, and after the session.
 */
export async function movePlayer(
  deps: Deps,
  { slugOrId, userId, number, actor }: Choice & { userId: number; actor: Actor },
): Promise<TeamAnswer> {
  const moved = await inTransaction(deps.pool.db, async (tx) => {
    const sessionId = await requireSessionId(tx, slugOrId, "host");
    const key = { sessionId, userId };
    const { name, session } = await lockTeam(tx, sessionId, number);
    if ((await tx.$count(users, eq(users.id, userId))) === 0) throw notFound();
    const mine = and(eq(registrations.sessionId, sessionId), eq(registrations.userId, userId));
    const [before] = await tx
      .select({ team: registrations.team })
      .from(registrations)
      .where(mine)
      .for("no key update");
    if (before === undefined)
      throw invalid({ user: ["is invalid"] }, { detail: "This player has not joined the show." });
    if (before.team !== number) {
      await tx.update(registrations).set({ team: number }).where(mine);
      await writeAudit(tx, {
        actor,
        action: "move_player",
        subject: { type: "user", id: userId },
        sessionId,
        before: { team: before.team },
        after: { team: number },
      });
      await recordPlayerChange(tx, key);
      await writeNotifications(tx, [
        {
          userId,
          kind: "announcement",
          title: `You play for ${name} now`,
          body: `A host of ${session.name} has moved you. Your results come along.`,
          url: `/sessions/${session.slug}`,
        },
      ]);
    }
    return { team: { ...key, number, name } };
  });
  deps.notifyRelay();
  return moved;
}

/** The name of a team and its session, whose row is locked against a change of its teams. */
async function lockTeam(tx: Transaction, sessionId: number, number: number) {
  const [session] = await tx.select().from(sessions).where(eq(sessions.id, sessionId)).for("share");
  if (session === undefined) throw notFound();
  const { teams } = v.parse(v.looseObject({ teams: storedTeams }), session.settings);
  const name = teams[number - 1];
  if (name === undefined) throw invalid({ number: ["is invalid"] }, { detail: "There is no such team." });
  if (session.state === "stopped")
    throw invalid(
      { session: ["is invalid"] },
      { detail: "This session is over. Its teams stay as they are." },
    );
  return { name, session };
}

function isFixed() {
  return invalid(
    { number: ["is invalid"] },
    {
      code: "team_fixed",
      detail: "Your first result is in, so you stay in your team. A host can still move you.",
    },
  );
}
