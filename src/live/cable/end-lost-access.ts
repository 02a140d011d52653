import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryRows, wholeNumber, writeIntegerArray } from "#db/ledger/query.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import type { Deps } from "#src/base/deps.ts";
import { isAdmin } from "#src/people/sign-ins/viewer.ts";
import { isAccessDenied } from "#src/play/access-denied.ts";
import type { RegisteredConnection } from "./hub-api.ts";

type Connection = Pick<RegisteredConnection, "client" | "subscriptions" | "disconnect">;
type Connections = Iterable<Connection>;

/**
 * Ends what these connections follow of sessions that do not exist for their users any more, and disconnects those of users who are no
 * hosts of a session any more: they come back as players. While the database is away nothing ends; the next check tries again.
 * @param only of this session; null: of all.
 */
export async function endLostAccess(
  { pool, log }: Pick<Deps, "pool" | "log">,
  connections: Connections,
  only: number | null,
): Promise<void> {
  const players = [...connections].filter(({ client }) => !isAdmin(client.viewer));
  const followers = players.flatMap(({ client: { viewer }, subscriptions }) =>
    subscriptions.sessionIds
      .filter((sessionId) => only === null || sessionId === only)
      .map((sessionId) => ({ userId: viewer.id, sessionId, asHost: viewer.hostOf.includes(sessionId) })),
  );
  try {
    const ended = Map.groupBy(await findEnded(pool.db, followers), ({ userId }) => userId);
    for (const player of players) end(player, ended.get(player.client.viewer.id) ?? []);
  } catch (error) {
    log.debug({ err: error }, "who follows what could not be checked; the next check tries again");
  }
}

function end(player: Connection, ended: readonly Ended[]): void {
  const { hostOf } = player.client.viewer;
  if (ended.some(({ sessionId, asHost }) => asHost && hostOf.includes(sessionId)))
    player.disconnect("remote");
  for (const { sessionId, isShut } of ended) if (isShut) player.subscriptions.shut(sessionId);
}

/** A user who follows a session, perhaps as its host. */
type Follower = { userId: number; sessionId: number; asHost: boolean };
/** A follower for whom the session does not exist any more, or who is its host no more. */
const ended = v.object({
  userId: wholeNumber,
  sessionId: wholeNumber,
  isShut: v.boolean(),
  asHost: v.boolean(),
});

type Ended = v.InferOutput<typeof ended>;

async function findEnded(db: Queryable, followers: readonly Follower[]): Promise<Ended[]> {
  if (followers.length === 0) return [];
  const userIds = writeIntegerArray(followers.map(({ userId }) => userId));
  const sessionIds = writeIntegerArray(followers.map(({ sessionId }) => sessionId));
  const asHosts = writeIntegerArray(followers.map(({ asHost }) => Number(asHost)));
  const isHost = sql`SELECT 1 FROM ${sessionHosts} h WHERE h.session_id = f.session_id AND h.user_id = f.user_id`;
  return queryRows(db, ended)`SELECT DISTINCT e."userId", e."sessionId", e."isShut", e."asHost" FROM (
      SELECT f.user_id AS "userId", f.session_id AS "sessionId", f.as_host = 1 AND NOT EXISTS (${isHost}) AS "asHost",
        ${isAccessDenied({ id: sql`s.id`, settings: sql`s.settings` }, sql`f.user_id`)} AS "isShut"
      FROM unnest(${userIds}::bigint[], ${sessionIds}::bigint[], ${asHosts}::bigint[]) AS f(user_id, session_id, as_host)
        CROSS JOIN LATERAL (SELECT * FROM sessions z WHERE z.id = f.session_id LIMIT 1) AS s
    ) AS e WHERE e."isShut" OR e."asHost"`;
}
