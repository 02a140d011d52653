import { and, eq, isNull, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { accessTokens } from "#db/schema/access-tokens.ts";

/**
 * Revokes a user's access tokens, or one of them. From the commit on no process accepts them.
 * @param only the id of a token.
 * @returns the ids of those that were not revoked before.
 */
export async function revokeAccessTokens(
  tx: Queryable,
  { userId, only }: { userId: number; only?: number },
): Promise<number[]> {
  const revoked = await tx
    .update(accessTokens)
    .set({ revokedAt: sql`clock_timestamp()` })
    .where(
      and(
        eq(accessTokens.userId, userId),
        isNull(accessTokens.revokedAt),
        only === undefined ? undefined : eq(accessTokens.id, only),
      ),
    )
    .returning({ id: accessTokens.id });
  return revoked.map(({ id }) => id);
}
