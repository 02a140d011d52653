import { sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { tokens } from "#db/schema/tokens.ts";
import type { Env } from "#src/settings/env.ts";
import { createTokenSecret, hashToken } from "./token-hash.ts";

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
  const secret = createTokenSecret();
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
