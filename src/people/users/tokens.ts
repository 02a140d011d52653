import { createHmac, randomBytes } from "node:crypto";
import { and, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import { tokens } from "#db/schema/tokens.ts";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

export type TokenKind = (typeof tokens.$inferSelect)["kind"];

/** How long a link works, in seconds. */
const lifetimes: Record<TokenKind, number> = {
  reset_password: 6 * HOUR_S,
  confirm_email: 3 * DAY_S,
  change_email: DAY_S,
  unlock: HOUR_S,
};

/**
 * Issues the secret of a link. It replaces the user's earlier link of this kind.
 * @param email the recipient of the mail.
 * @returns the secret. Only its hash is stored.
 */
export async function issueToken(
  tx: Queryable,
  env: Pick<Env, "secretKey">,
  { userId, kind, email }: { userId: number; kind: TokenKind; email: string },
): Promise<string> {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const fresh = {
    hash: hashToken(env, secret),
    email,
    expiresAt: sql`clock_timestamp() + make_interval(secs => ${lifetimes[kind]})`,
    usedAt: null,
    createdAt: sql`clock_timestamp()`,
  };
  await tx
    .insert(tokens)
    .values({ userId, kind, ...fresh })
    .onConflictDoUpdate({ target: [tokens.userId, tokens.kind], set: fresh });
  return secret;
}

const SECRET_BYTES = 32;

/**
 * The hash of a link's secret, by which it is stored and looked up. The hash is keyed, so an attacker cannot choose what the
 * database compares, and the time of a look-up reveals nothing.
 */
function hashToken({ secretKey }: Pick<Env, "secretKey">, secret: string): string {
  return createHmac("sha256", deriveKey(secretKey, "token")).update(secret).digest("base64url");
}

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

/**
 * Revokes unused links of a user, including those in mails that are not sent yet.
 * @param kinds the kinds of links. Used links are kept until they expire; they do nothing.
 */
export async function revokeTokens(
  tx: Queryable,
  userId: number,
  kinds: readonly TokenKind[],
): Promise<void> {
  await tx
    .delete(tokens)
    .where(and(eq(tokens.userId, userId), inArray(tokens.kind, [...kinds]), isNull(tokens.usedAt)));
  await tx
    .delete(mails)
    .where(
      and(
        eq(mails.userId, userId),
        inArray(mails.kind, [...kinds]),
        isNull(mails.sentAt),
        isNull(mails.failedAt),
      ),
    );
}
