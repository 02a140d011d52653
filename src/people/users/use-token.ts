import { and, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { tokens } from "#db/schema/tokens.ts";
import type { Env } from "#src/settings/env.ts";
import type { TokenKind } from "./issue-token.ts";
import { hashToken } from "./token-hash.ts";

type TokenRow = typeof tokens.$inferSelect;
type TokenQuery = { secret: string; kinds: readonly TokenKind[] };

// Decision: opening the link of a mail changes nothing, because mail scanners open links before their readers do: the page has one
// button. A used link is remembered until it expires, and gives the same answer again and does nothing.

/** Finds the token of an unexpired link, used or not; null if there is none. */
export async function findToken(
  db: Queryable,
  env: Pick<Env, "secretKey">,
  { secret, kinds }: TokenQuery,
): Promise<TokenRow | null> {
  const [row] = await db
    .select()
    .from(tokens)
    .where(
      and(
        eq(tokens.hash, hashToken(env, secret)),
        inArray(tokens.kind, [...kinds]),
        gt(tokens.expiresAt, sql`clock_timestamp()`),
      ),
    );
  return row ?? null;
}

/**
 * Marks the token of a link as used, in the transaction of the action itself. Of several concurrent callers one gets it.
 * @returns null if the token is invalid, expired or used.
 */
export async function useToken(
  tx: Queryable,
  env: Pick<Env, "secretKey">,
  query: TokenQuery,
): Promise<TokenRow | null> {
  const found = await findToken(tx, env, query);
  if (found === null) return null;
  const [used] = await tx
    .update(tokens)
    .set({ usedAt: sql`clock_timestamp()` })
    .where(and(eq(tokens.id, found.id), eq(tokens.hash, found.hash), isNull(tokens.usedAt)))
    .returning();
  return used ?? null;
}
