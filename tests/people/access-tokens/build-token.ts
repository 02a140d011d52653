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
import type { Answer } from "#tests/support/client.ts";
import type { Server } from "#tests/support/server.ts";

type TokenTerms = {
  userId: number;
  scope?: TokenScope;
  name?: string;
  byPasskey?: boolean;
  expired?: boolean;
  revoked?: boolean;
};

/** An access token. Returns its secret and its id. */
export async function buildToken(
  { env, pool }: Pick<Deps, "env" | "pool">,
  { userId, scope = "run", name = "Scoreboard", byPasskey = false, expired, revoked }: TokenTerms,
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
export function createProgram(server: Pick<Server, "handle">, secret: string) {
  const send = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await server.handle(
      new Request(`http://localhost:3000${path}`, {
        method,
        headers: {
          authorization: `Bearer ${secret}`,
          accept: "application/json",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true && text !== "";
    const read: unknown = isJson ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, body: read };
  };
  return { send, get: (path: string) => send("GET", path) };
}
