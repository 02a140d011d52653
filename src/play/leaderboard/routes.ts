import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { leaderboardEndpoints } from "./endpoints.ts";
import { excludePlayer, restorePlayer } from "./exclude-player.ts";
import { listExclusions } from "./find-exclusions.ts";
import { listLeaders, listScores } from "./find-scores.ts";
import { recomputeScores } from "./repair-scores.ts";

export function leaderboardRoutes(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(leaderboardEndpoints, {
    listScores: ({ viewer, query, page, now }) => listScores(deps, { viewer, query, page }, now),
    listLeaders: async ({ context, viewer, query }) =>
      (await context.knownLeaders?.(query)) ?? listLeaders(deps, viewer, query),
    recomputeScores: ({ viewer, query }) => recomputeScores(deps, { actor: viewer, ...query }),
    listExclusions: ({ query, page, now }) => listExclusions(db, { query, page }, now),
    excludePlayer: ({ viewer, body, keyed }) =>
      excludePlayer(deps, { actor: viewer, ...body.exclusion }, keyed),
    readmitPlayer: ({ viewer, params }) => restorePlayer(deps, { actor: viewer, exclusionId: params.id }),
  });
}
