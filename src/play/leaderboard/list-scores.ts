import type * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireUser } from "#src/people/users/require-user.ts";
import { requireScope } from "./find-board.ts";
import { findScore, findScores } from "./find-scores.ts";
import type { scoresAnswer, ScoresQuery } from "./schemas.ts";

/**
 * A page of the leaderboard, or one player's score in it.
 * @throws Refusal 404 for an unknown session, season or user; 422 for a session and a season at once.
 */
export async function listScores(
  deps: Pick<Deps, "pool" | "env">,
  { viewer, query, page }: { viewer: Pick<Viewer, "id" | "roles">; query: ScoresQuery; page: Page },
  now: Date,
): Promise<v.InferOutput<typeof scoresAnswer>> {
  const { db } = deps.pool;
  const scope = await requireScope(db, query, viewer);
  if (query.userId !== undefined) {
    const score = await findScore(deps, { ...scope, userId: query.userId });
    if (score === null) await requireUser(db, query.userId);
    const scores = score === null ? [] : [score];
    return { scores, meta: listMeta(page, scores.length, now) };
  }
  const range = { limit: page.perPage, offset: page.offset };
  const { scores, totalCount } = await findScores(deps, { ...scope, ...range });
  return { scores, meta: listMeta(page, totalCount, now) };
}
