import { sql } from "drizzle-orm";
import * as v from "valibot";
import { writeTextArray } from "#db/ledger/write-array.ts";
import { type TokenScope, tokenScopes } from "#db/lists/access-tokens.ts";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { users } from "#db/schema/users.ts";
import { isUnconfirmedNow } from "#db/sign-in-conditions.ts";
import { createBatcher } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { viewerColumns } from "./find-sign-in.ts";
import { isAdmin, type Viewer, viewerRow, withholdRoles } from "./viewer.ts";

/** The largest number of tokens in one query; see createBatcher. */
const LOOKUP_BATCH_MAX = 256;
/** `last_used_at` is updated at most this often. */
const TOUCH_AFTER_SECONDS = 60;

const tokenRow = v.object({
  id: v.pipe(v.string(), v.toNumber()),
  secretHash: v.string(),
  /** Null for a scope of a newer release: nobody here knows what it allows. */
  scope: v.fallback(v.nullable(v.picklist(tokenScopes)), null),
  byPasskey: v.boolean(),
  revoked: v.boolean(),
  expired: v.boolean(),
  /** The owner's account was deactivated, or was not confirmed in time. A lock stops new sign-ins only. */
  closed: v.boolean(),
  /** When it was last used has to be updated. */
  stale: v.boolean(),
});
type TokenRow = v.InferOutput<typeof tokenRow>;

/** What a program may do with its token. */
export type AccessToken = { id: number; scope: TokenScope };

/** Why a token is not accepted. */
export type TokenProblem = "unknown" | "revoked" | "expired" | "owner";

export type FoundToken =
  | { token: AccessToken; viewer: Viewer; problem: null }
  | { token: null; viewer: null; problem: TokenProblem };

/**
 * Finds an access token with its owner, as they are now. Concurrent requests share one query. Nothing is cached, so what revokes
 * a token, or takes its owner's role, counts at once in every process.
 */
export function findAccessToken(deps: Deps, secretHash: string): Promise<FoundToken> {
  return findInBatch(deps, secretHash);
}

const findInBatch = createBatcher(LOOKUP_BATCH_MAX, findTokens);

async function findTokens(deps: Deps, hashes: readonly string[]): Promise<FoundToken[]> {
  const rows = await deps.pool.db.execute(sql`
    SELECT ${accessTokens.id} AS id, ${accessTokens.secretHash} AS "secretHash", ${accessTokens.scope} AS scope,
      ${accessTokens.byPasskey} AS "byPasskey", ${accessTokens.revokedAt} IS NOT NULL AS revoked,
      ${accessTokens.expiresAt} <= clock_timestamp() AS expired,
      (${users.deactivatedAt} IS NOT NULL OR ${isUnconfirmedNow}) AS closed,
      coalesce(${accessTokens.lastUsedAt} < clock_timestamp() - make_interval(secs => ${TOUCH_AFTER_SECONDS}), true) AS stale,
      ${viewerColumns}
    FROM ${accessTokens} JOIN ${users} ON ${users.id} = ${accessTokens.userId}
    WHERE ${accessTokens.secretHash} = ANY (${writeTextArray(hashes)}::text[])`);
  const found = new Map(
    [...rows].map((row) => {
      const token = v.parse(tokenRow, row);
      return [token.secretHash, acceptToken(deps, token, v.parse(viewerRow, row))];
    }),
  );
  return hashes.map((hash) => found.get(hash) ?? refused("unknown"));
}

/** Decides whether a token is accepted, and records its use. Where admins need passkeys, so did the sign-in that made it. */
function acceptToken(deps: Deps, row: TokenRow, owner: Viewer): FoundToken {
  const { id, scope, revoked, expired, closed, stale } = row;
  if (revoked) return refused("revoked");
  if (expired) return refused("expired");
  if (scope === null) return refused("unknown");
  const viewer = withholdRoles(deps.env, owner, row);
  if (closed || viewer.guest || !isAdmin(viewer)) return refused("owner");
  if (stale) void touchToken(deps, id);
  return { token: { id, scope }, viewer: { ...viewer, accessTokenId: id }, problem: null };
}

function refused(problem: TokenProblem): FoundToken {
  return { token: null, viewer: null, problem };
}

/** Records that a token was used. The answer does not wait for it, and after a failure the next request tries again. */
async function touchToken({ pool, log }: Deps, id: number): Promise<void> {
  try {
    await pool.db.execute(
      sql`UPDATE ${accessTokens} SET last_used_at = clock_timestamp() WHERE ${accessTokens.id} = ${id}`,
    );
  } catch (error) {
    log.warn({ err: error }, "could not update when an access token was last used");
  }
}
