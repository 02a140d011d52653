import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { findSessionId } from "#src/calls/find-session-id.ts";
import { readQuery } from "#src/http/read-query.ts";
import { LEADERS_DEFAULT, LEADERS_MAX, type LeadersAnswer } from "./contract.ts";
import { findLeaders } from "./find-scores.ts";

const leadersQuery = v.object({
  /** A session's id or slug; all sessions together where left out. */
  sessionId: v.optional(v.string()),
  limit: v.optional(
    v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1), v.maxValue(LEADERS_MAX)),
    String(LEADERS_DEFAULT),
  ),
});

/**
 * The leaders, and the viewer's own score wherever it stands.
 * @param query as the address gives it: session_id, limit.
 * @throws Refusal 422 for a limit out of bounds, 404 for an unknown session.
 */
export async function listLeaders(
  db: Queryable,
  viewer: { id: number },
  query: Record<string, unknown>,
): Promise<LeadersAnswer> {
  const { sessionId, limit } = readQuery(query, leadersQuery);
  return findLeaders(db, {
    sessionId: (await findSessionId(db, sessionId)) ?? null,
    limit,
    viewerId: viewer.id,
  });
}
