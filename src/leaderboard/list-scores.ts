import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { findSessionId } from "#src/calls/find-session-id.ts";
import { listMeta } from "#src/http/list-meta.ts";
import { readPage, readQuery } from "#src/http/read-query.ts";
import type { scoresAnswer } from "./contract.ts";
import { findScores } from "./find-scores.ts";

/** A session's id or slug; all sessions together where left out. */
const scoresQuery = v.object({ sessionId: v.optional(v.string()) });

/**
 * A page of the whole table.
 * @param query as the address gives it: session_id, page, per_page.
 * @throws Refusal 404 for an unknown session.
 */
export async function listScores(
  db: Queryable,
  { query, now }: { query: Record<string, unknown>; now: Date },
): Promise<v.InferOutput<typeof scoresAnswer>> {
  const page = readPage(query);
  const sessionId = (await findSessionId(db, readQuery(query, scoresQuery).sessionId)) ?? null;
  const { scores, totalCount } = await findScores(db, {
    sessionId,
    limit: page.perPage,
    offset: page.offset,
  });
  return { scores, meta: listMeta(page, totalCount, now) };
}
