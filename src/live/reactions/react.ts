import { and, eq, gt, sql } from "drizzle-orm";
import type { ReactionKind } from "#db/lists/reactions.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { mutes } from "#db/schema/messages.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound, Refusal } from "#src/base/refusal.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { countReaction } from "./reaction-counter.ts";

type Reaction = {
  viewer: Pick<Viewer, "id" | "roles">;
  /** A session's id or slug. */
  sessionId: string;
  kind: ReactionKind;
};

/**
 * Adds a player's reaction to the counts that the session receives.
 * @throws Refusal 403 for players who have not joined the session or are muted in it; 404 for an unknown session; 409 for a
 *   session that is over. Nothing is counted then.
 */
export async function react(
  { pool, redis, log }: Pick<Deps, "pool" | "redis" | "log">,
  { viewer, sessionId: slugOrId, kind }: Reaction,
): Promise<void> {
  const sessionId = await requireSessionId(pool.db, slugOrId, viewer);
  const [found] = await findStanding(pool.db).execute({ sessionId, userId: viewer.id });
  if (found === undefined) throw notFound();
  if (found.state === "stopped") throw new Refusal(409, "over", "This session is over.");
  if (found.joinedId === null)
    throw new Refusal(403, "not_joined", "Place a call first, then you can react.");
  if (found.mutedId !== null) throw new Refusal(403, "muted", "You cannot react here: you are muted.");
  countReaction({ redis, log }, sessionId, kind);
}

/** The state of a session, and whether a player has joined it and is muted in it. */
const findStanding = prepareQuery((db) => {
  const ofSession = eq(sessions.id, sql.placeholder("sessionId"));
  const userId = sql.placeholder("userId");
  return db
    .select({ state: sessions.state, joinedId: registrations.id, mutedId: mutes.id })
    .from(sessions)
    .leftJoin(registrations, and(eq(registrations.sessionId, sessions.id), eq(registrations.userId, userId)))
    .leftJoin(
      mutes,
      and(eq(mutes.sessionId, sessions.id), eq(mutes.userId, userId), gt(mutes.until, sql`game_now()`)),
    )
    .where(ofSession)
    .prepare("find_standing");
});
