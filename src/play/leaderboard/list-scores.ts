import type * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import { requireUser } from "#src/people/users/require-user.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { findScore, findScores } from "./find-scores.ts";
import type { scoresAnswer, ScoresQuery } from "./schemas.ts";

/**
 * A page of the leaderboard, or one player's score in it.
 * @throws Refusal 404 for an unknown session or user.
 */
export async function listScores(
  deps: Pick<Deps, "pool" | "env">,
  { query, page }: { query: ScoresQuery; page: Page },
  now: Date,
): Promise<v.InferOutput<typeof scoresAnswer>> {
  const { db } = deps.pool;
  const sessionId = (await requireSessionId(db, query.sessionId)) ?? null;
  if (query.userId !== undefined) {
    const score = await findScore(deps, { sessionId, userId: query.userId });
    if (score === null) await requireUser(db, query.userId);
    const scores = score === null ? [] : [score];
    return { scores, meta: listMeta(page, scores.length, now) };
  }
  const { scores, totalCount } = await findScores(deps, {
    sessionId,
    limit: page.perPage,
    offset: page.offset,
  });
  return { scores, meta: listMeta(page, totalCount, now) };
}
