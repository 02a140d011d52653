import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { accessTokens } from "#db/schema/access-tokens.ts";
import type { Deps } from "#src/base/deps.ts";
import { readByPasskey, type SignedIn } from "#src/people/passkeys/signed-in.ts";
import type { AccessTokensAnswer, AccessTokenView } from "./schemas.ts";

/** The viewer's access tokens that are valid, newest first. */
export async function listAccessTokens(
  deps: Deps,
  { viewer, signInId }: SignedIn,
): Promise<AccessTokensAnswer> {
  const [rows, { byPasskey, fresh }] = await Promise.all([
    findValidTokens(deps.pool.db, viewer.id),
    readByPasskey(deps, signInId),
  ]);
  return { accessTokens: rows.map(presentAccessToken), confirmed: byPasskey, fresh };
}

/** The tokens of a user that were not revoked and have not expired. */
export function findValidTokens(db: Queryable, userId: number) {
  const isValid = gt(accessTokens.expiresAt, sql`clock_timestamp()`);
  return db
    .select()
    .from(accessTokens)
    .where(and(eq(accessTokens.userId, userId), isNull(accessTokens.revokedAt), isValid))
    .orderBy(desc(accessTokens.id));
}

/** A token as its owner reads it, without its secret. */
export function presentAccessToken(row: typeof accessTokens.$inferSelect): AccessTokenView {
  const { id, name, scope, hint, createdAt, expiresAt, lastUsedAt } = row;
  return {
    id,
    name,
    scope,
    hint,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
