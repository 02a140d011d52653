import { createHmac, randomUUID } from "node:crypto";
import { and, desc, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { Queryable, Transaction } from "#db/client.ts";
import { anyOf } from "#db/ledger/query.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { registrations, removedPlayers } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { shutStreams } from "#src/base/streams/broadcast.ts";
import { isAdmin } from "#src/people/sign-ins/viewer.ts";
import { rolesOfUser } from "#src/people/users/roles-of-user.ts";
import { deriveKey } from "#src/settings/derive-key.ts";
import { networkOf } from "#src/settings/networks.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import {
  auditSession,
  type LockedSession,
  renewLocked,
  type SessionCommand,
  type SessionRow,
  withSession,
  writeSession,
} from "#src/show/sessions/with-session.ts";
import { WAVE_MINUTES, WAVE_NAMES_MAX } from "./contract.ts";
import { newJoinCode } from "./join-code.ts";
import type { Wave, WavesAnswer, WholeWave } from "./schemas.ts";

/**
 * Removes a player from a session: it does not exist for the player any more, until a newer join code than today's lets the player in
 * again. Calls and results stay, these also with the team. Repeating it changes nothing but the code.
 * @param command renewsCode: also makes a new code, so that the player does not come back as a new guest with the one of today.
 * @throws Refusal 404 for an unknown session or user; 422 for an admin, and for a host of the session.
 */
export async function removePlayer(
  deps: Deps,
  { userId, renewsCode = false, ...command }: SessionCommand & { userId: number; renewsCode?: boolean },
): Promise<void> {
  const { id: sessionId } = await withSession(deps, command, async (tx, { session, actor }) => {
    const [user] = await tx.select({ roles: rolesOfUser }).from(users).where(eq(users.id, userId));
    if (user === undefined) throw notFound();
    if (isAdmin(user))
      throw invalid({ user: ["is invalid"] }, { code: "admin", detail: "An admin is in every show." });
    const key = { sessionId: session.id, userId };
    const isHost = and(eq(sessionHosts.sessionId, session.id), eq(sessionHosts.userId, userId));
    if ((await tx.$count(sessionHosts, isHost)) > 0) throw hostRefusal();
    const mine = and(eq(registrations.sessionId, session.id), eq(registrations.userId, userId));
    const [joined] = await tx.select({ team: registrations.team }).from(registrations).where(mine);
    const made = await tx
      .insert(removedPlayers)
      .values({ ...key, joinCode: session.joinCode, team: joined?.team })
      .onConflictDoNothing({ target: [removedPlayers.sessionId, removedPlayers.userId] })
      .returning({ id: removedPlayers.id });
    await tx.delete(registrations).where(mine);
    const subject = { type: "user", id: userId } as const;
    if (made.length > 0) await auditSession(tx, { session, actor }, { action: "remove_player", subject });
    return renewsCode ? renewLocked(tx, { session, actor }, newJoinCode) : session;
  });
  await shutStreams(deps, sessionId);
}

function hostRefusal() {
  const detail = "A host of the session is in it. An admin makes the host a player first.";
  return invalid({ user: ["is invalid"] }, { code: "host", detail });
}

/**
 * Removes all players at once who have come from one network within WAVE_MINUTES, as removePlayer does for each.
 * @param wave network: as findWaves names it. until: who came later was not shown to the host, and stays.
 * @returns the removal, by whose id it is taken back, and how many it has removed.
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

/** Takes the removal of a wave back: those who are still removed by it are in the session again, in the same team. */
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

// Decision: nothing is stored about where a player comes from but what the sign-in has anyway: its address, which is in the player's own
// download, and goes with the account, and 30 days after the sign-in has expired. A host reads none of it, only who came from the same
// network, for WAVE_MINUTES after they came. The name of a network here is signed over the session, so that it says nothing elsewhere.

type WaveDeps = Pick<Deps, "env" | "pool">;

/** More than one act is to remove. The rest is the next wave. */
const ARRIVALS_MAX = 2_000;
/** A wave is of more than one. */
const WAVE_SIZE_MIN = 2;
const WAVES_MAX = 10;

/** Who has come from one network within the last minutes, the newest first. Who runs the session is not among them. */
type Arrival = { userId: number; username: string; at: Date; network: string };

/**
 * The networks from which several players have come to a session within WAVE_MINUTES, the largest first; and the waves that were removed,
 * the newest first.
 */
export async function findWaves(deps: WaveDeps, slugOrId: string, now: Date): Promise<WavesAnswer> {
  const { db } = deps.pool;
  const { id: sessionId } = await requireSession(db, slugOrId);
  const groups = Map.groupBy(await findArrivals(deps, db, sessionId), ({ network }) => network);
  const arrived = [...groups]
    .map(([network, players]) => waveOf(network, players))
    .filter(({ count }) => count >= WAVE_SIZE_MIN)
    .toSorted((one, other) => other.count - one.count)
    .slice(0, WAVES_MAX);
  return { arrived, removed: await findRemoved(db, sessionId), meta: { serverTime: now.toISOString() } };
}

function waveOf(id: string, players: readonly { username: string; at: Date }[]): Wave {
  return {
    id,
    count: players.length,
    usernames: players.slice(0, WAVE_NAMES_MAX).map(({ username }) => username),
    at: (players[0]?.at ?? new Date(0)).toISOString(),
  };
}

/** Who has come to a session within WAVE_MINUTES, each with the name of the network. */
async function findArrivals(
  { env }: Pick<WaveDeps, "env">,
  db: Queryable,
  sessionId: number,
): Promise<Arrival[]> {
  const lastAddress = sql<
    string | null
  >`(SELECT i.address FROM sign_ins i WHERE i.user_id = ${registrations.userId}
    ORDER BY i.last_seen_at DESC LIMIT 1)`;
  const runsIt = sql`EXISTS (SELECT FROM user_roles r WHERE r.user_id = ${registrations.userId} AND r.role = 'admin')
    OR EXISTS (SELECT FROM session_hosts h WHERE h.session_id = ${sessionId} AND h.user_id = ${registrations.userId})`;
  const rows = await db
    .select({
      userId: registrations.userId,
      username: users.username,
      at: registrations.createdAt,
      address: lastAddress,
    })
    .from(registrations)
    .innerJoin(users, eq(users.id, registrations.userId))
    .where(
      and(
        eq(registrations.sessionId, sessionId),
        gt(registrations.createdAt, sql`game_now() - make_interval(mins => ${WAVE_MINUTES}::int)`),
        sql`NOT (${runsIt})`,
      ),
    )
    .orderBy(desc(registrations.createdAt))
    .limit(ARRIVALS_MAX);
  const key = deriveKey(env.secretKey, "waves");
  return rows.flatMap(({ address, ...player }) => {
    if (address === null) return [];
    const signed = createHmac("sha256", key).update(`${sessionId}:${networkOf(address)}`);
    return [{ ...player, network: signed.digest("base64url") }];
  });
}

async function findRemoved(db: Queryable, sessionId: number): Promise<Wave[]> {
  const rows = await db
    .select({ wave: removedPlayers.wave, username: users.username, at: removedPlayers.createdAt })
    .from(removedPlayers)
    .innerJoin(users, eq(users.id, removedPlayers.userId))
    .where(and(eq(removedPlayers.sessionId, sessionId), isNotNull(removedPlayers.wave)))
    .orderBy(desc(removedPlayers.id));
  const waves = Map.groupBy(rows, ({ wave }) => wave ?? "");
  return [...waves].slice(0, WAVES_MAX).map(([id, players]) => waveOf(id, players));
}
