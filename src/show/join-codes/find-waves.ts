import { createHmac } from "node:crypto";
import { and, desc, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { registrations, removedPlayers } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { deriveKey } from "#src/settings/derive-key.ts";
import { networkOf } from "#src/settings/networks.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import { WAVE_MINUTES, WAVE_NAMES_MAX } from "./contract.ts";
import type { Wave, WavesAnswer } from "./schemas.ts";

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
export type Arrival = { userId: number; username: string; at: Date; network: string };

/**
 * The networks from which several players have come to a session within WAVE_MINUTES, the largest first; and the waves that were removed,
 * the newest first.
 * @throws Refusal 404 for an unknown session.
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
export async function findArrivals(
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
