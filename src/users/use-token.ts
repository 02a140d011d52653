import { and, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { tokens } from "#db/schema/tokens.ts";
import type { Env } from "#src/settings/env.ts";
import type { TokenKind } from "./issue-token.ts";
import { hashToken } from "./token-hash.ts";

type TokenRow = typeof tokens.$inferSelect;
type Wanted = { secret: string; kinds: readonly TokenKind[] };

/** Finds the token of a link that still works, or that was used already and would still work; null for all others. */
export async function findToken(
  db: Queryable,
  env: Pick<Env, "secretKey">,
  { secret, kinds }: Wanted,
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
 * Uses the token of a link, in the transaction that does what it is for. Of many at the same time one gets it.
 * @returns null where it does not work, or does not work any more.
 */
export async function useToken(
  tx: Queryable,
  env: Pick<Env, "secretKey">,
  wanted: Wanted,
): Promise<TokenRow | null> {
  const found = await findToken(tx, env, wanted);
  if (found === null) return null;
  const [used] = await tx
    .update(tokens)
    .set({ usedAt: sql`clock_timestamp()` })
    .where(and(eq(tokens.id, found.id), eq(tokens.hash, found.hash), isNull(tokens.usedAt)))
    .returning();
  return used ?? null;
}
