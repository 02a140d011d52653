import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import type { Transaction } from "#db/client.ts";
import { registrations, removedPlayers } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { shutStreams } from "#src/base/streams/shut-streams.ts";
import {
  auditSession,
  type LockedSession,
  type SessionCommand,
  type SessionRow,
  withSession,
  writeSession,
} from "#src/show/sessions/with-session.ts";
import { findArrivals } from "./find-waves.ts";
import type { WholeWave } from "./schemas.ts";

/**
 * Removes all players at once who have come from one network within WAVE_MINUTES, as removePlayer does for each.
 * @param wave network: as findWaves names it. until: who came later was not shown to the host, and stays.
 * @returns the removal, by whose id it is taken back, and how many it has removed.
 * @throws Refusal 404 for an unknown session, and where nobody has come so.
 */
export async function removeWave(
  deps: Deps,
  { network, until, ...command }: SessionCommand & { network: string; until: string },
): Promise<WholeWave> {
  const id = randomUUID();
  let count = 0;
  const { id: sessionId } = await withSession(deps, command, async (tx, locked) => {
    const { session } = locked;
    const arrived = await findArrivals(deps, tx, session.id);
    const untilMs = Date.parse(until);
    const userIds = arrived
      .filter((arrival) => arrival.network === network && arrival.at.getTime() <= untilMs)
      .map(({ userId }) => userId);
    if (userIds.length === 0) throw notFound();
    await tx.execute(sql`INSERT INTO ${removedPlayers} (session_id, user_id, join_code, team, wave)
      SELECT session_id, user_id, ${session.joinCode}, team, ${id}::uuid FROM ${registrations}
      WHERE session_id = ${session.id} AND ${anyOf(registrations.userId, userIds)}
      ON CONFLICT (session_id, user_id) DO NOTHING`);
    await tx
      .delete(registrations)
      .where(and(eq(registrations.sessionId, session.id), anyOf(registrations.userId, userIds)));
    count = userIds.length;
    return noteWave(tx, locked, { action: "remove_wave", id, count });
  });
  await shutStreams(deps, sessionId);
  return { id, count };
}

/**
 * Takes the removal of a wave back: those who are still removed by it are in the session again, in the same team.
 * @throws Refusal 404 for an unknown session, and for a removal that was taken back.
 */
export async function restoreWave(
  deps: Deps,
  { wave, ...command }: SessionCommand & { wave: string },
): Promise<WholeWave> {
  let count = 0;
  await withSession(deps, command, async (tx, locked) => {
    const ofWave = and(
      eq(removedPlayers.sessionId, locked.session.id),
      sql`${removedPlayers.wave}::text = ${wave.toLowerCase()}`,
    );
    const restored =
      await tx.execute(sql`INSERT INTO registrations (session_id, user_id, display_name, team, created_at)
      SELECT session_id, user_id, u.username, team, game_now() FROM ${removedPlayers} JOIN users u ON u.id = user_id
      WHERE ${ofWave} ON CONFLICT (session_id, user_id) DO NOTHING RETURNING id`);
    const removed = await tx.delete(removedPlayers).where(ofWave).returning({ id: removedPlayers.id });
    if (removed.length === 0) throw notFound();
    count = restored.length;
    return noteWave(tx, locked, { action: "restore_wave", id: wave, count });
  });
  return { id: wave, count };
}

/** Writes the audit line of an act on a wave, and announces the session, which has another number of players. */
async function noteWave(
  tx: Transaction,
  locked: LockedSession,
  { action, id, count }: { action: "remove_wave" | "restore_wave"; id: string; count: number },
): Promise<SessionRow> {
  await auditSession(tx, locked, { action, after: { wave: id, playersCount: count } });
  return writeSession(tx, locked, {});
}
