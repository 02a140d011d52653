import { sql } from "drizzle-orm";
import type { TokenScope } from "#db/lists/access-tokens.ts";
import { accessTokens } from "#db/schema/access-tokens.ts";
import type { Deps } from "#src/base/deps.ts";
import {
  accessTokenSecret,
  createAccessTokenSalt,
  hashAccessToken,
  hintOf,
} from "#src/people/sign-ins/access-tokens.ts";
import { only } from "#tests/support/build.ts";
import { createClient } from "#tests/support/client.ts";
import type { Server } from "#tests/support/server.ts";

type TokenTerms = {
  userId: number;
  scope?: TokenScope;
  /** Of a dock. */
  sessionId?: number;
  name?: string;
  byPasskey?: boolean;
  expired?: boolean;
  revoked?: boolean;
};

/** An access token. Returns its secret and its id. */
export async function buildToken(
  { env, pool }: Pick<Deps, "env" | "pool">,
  { userId, scope = "run", sessionId, name = "Scoreboard", byPasskey = false, expired, revoked }: TokenTerms,
): Promise<{ id: number; secret: string }> {
  const secret = accessTokenSecret(env, createAccessTokenSalt());
  const hours = expired === true ? -1 : 1;
  const { id } = only(
    await pool.db
      .insert(accessTokens)
      .values({
        userId,
        name,
        scope,
        sessionId,
        byPasskey,
        secretHash: hashAccessToken(secret),
        hint: hintOf(secret),
        // Recent enough that using it writes nothing: tests compare tables.
        lastUsedAt: sql`clock_timestamp() + interval '1 hour'`,
        expiresAt: sql`clock_timestamp() + make_interval(hours => ${hours})`,
        revokedAt: revoked === true ? new Date() : null,
      })
      .returning({ id: accessTokens.id }),
  );
  return { id, secret };
}

/** A program: it sends its secret, and neither a cookie nor an anti-forgery token. */
export const createProgram = (server: Pick<Server, "handle">, secret: string) =>
  createClient(server, () => ({ authorization: `Bearer ${secret}` }));
