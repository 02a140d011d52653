import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { findSessionId } from "#src/calls/find-session-id.ts";
import { listMeta } from "#src/http/list-meta.ts";
import { readPage, readQuery } from "#src/http/read-query.ts";
import type { scoresAnswer } from "./contract.ts";
import { findScore, findScores } from "./find-scores.ts";

const scoresQuery = v.object({
  /** A session's id or slug; all sessions together where left out. */
  sessionId: v.optional(v.string()),
  /** This player's score alone. */
  userId: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/, "is invalid"), v.transform(Number))),
});

/**
 * A page of the whole table, or one player's score in it.
 * @param query as the address gives it: session_id, user_id, page, per_page.
 * @throws Refusal 404 for an unknown session.
 */
export async function listScores(
  db: Queryable,
  { query, now }: { query: Record<string, unknown>; now: Date },
): Promise<v.InferOutput<typeof scoresAnswer>> {
  const page = readPage(query);
  const wanted = readQuery(query, scoresQuery);
  const sessionId = (await findSessionId(db, wanted.sessionId)) ?? null;
  if (wanted.userId !== undefined) {
    const score = await findScore(db, { sessionId, userId: wanted.userId });
    const scores = score === null ? [] : [score];
    return { scores, meta: listMeta(page, scores.length, now) };
  }
  const { scores, totalCount } = await findScores(db, {
    sessionId,
    limit: page.perPage,
    offset: page.offset,
  });
  return { scores, meta: listMeta(page, totalCount, now) };
}
