import { createHash, createHmac, randomBytes } from "node:crypto";
import { and, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { writeTextArray } from "#db/ledger/write-array.ts";
import { type TokenScope, tokenScopes } from "#db/lists/access-tokens.ts";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { users } from "#db/schema/users.ts";
import { isUnconfirmedNow } from "#db/sign-in-conditions.ts";
import { createBatcher } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { readBearer } from "#src/http/bearer.ts";
import { type Endpoint, partsOf } from "#src/http/endpoint.ts";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";
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

type FoundToken =
  | { token: AccessToken; viewer: Viewer; problem: null }
  | { token: null; viewer: null; problem: TokenProblem };

/**
 * Finds an access token with its owner, as they are now. Concurrent requests share one query. Nothing is cached, so what revokes
 * a token, or takes its owner's role, counts at once in every process.
 */
export const findAccessToken = createBatcher(LOOKUP_BATCH_MAX, findTokens);

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

const PREFIX = "ci_";
const SALT_BYTES = 32;
const HINT_LETTERS = 4;
const form = /^ci_[\w-]{43}$/;

/** A new salt: 32 random bytes. With it a token has another secret. */
export function createAccessTokenSalt(): string {
  return randomBytes(SALT_BYTES).toString("base64url");
}

/**
 * The secret of an access token, derived from the product's own key: so a repeated request can answer it for as long as its salt is
 * kept. The prefix lets tools find secrets that were published by mistake.
 */
export function accessTokenSecret({ secretKey }: Pick<Env, "secretKey">, salt: string): string {
  const key = deriveKey(secretKey, "access tokens");
  return PREFIX + createHmac("sha256", key).update(salt).digest("base64url");
}

/**
 * What a request sends as an access token of ours; null for none. Another bearer token, as proxies and gateways add for themselves,
 * says nothing about who asks.
 */
export function readAccessToken(request: Request): string | null {
  const secret = readBearer(request);
  return secret?.startsWith(PREFIX) === true ? secret : null;
}

/** True for a text that can be such a secret. */
export function isAccessTokenSecret(text: string): boolean {
  return form.test(text);
}

/** The hash by which a secret is stored and found. A slow hash would protect nothing more: 32 random bytes cannot be guessed. */
export function hashAccessToken(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** The part of a secret by which its owner recognizes it. */
export function hintOf(secret: string): string {
  return secret.slice(-HINT_LETTERS);
}

// Decision: what a token may do follows from the endpoint's record, so that no endpoint can be forgotten: reads are open and changes are
// closed, except where the record says otherwise.

/** The least scope that opens an endpoint to a token; null: no token opens it. */
export function scopeOf({ route, who, token }: TokenRule): TokenScope | null {
  const { method, path } = partsOf({ route });
  if (!path.startsWith("/api/v1/") || who === "public" || token === "none") return null;
  return token ?? (method === "GET" ? "read" : null);
}

type TokenRule = Pick<Endpoint, "route" | "who" | "token">;

/** Refuses what is outside the scope of a program's token: 403. @param needed null: no token opens it. */
export function requireScope({ scope }: AccessToken, needed: TokenScope | null): void {
  if (needed !== null && tokenScopes.indexOf(scope) >= tokenScopes.indexOf(needed)) return;
  throw new Refusal(403, "outside_scope", "This access token does not open this.", {
    detail:
      needed === null ? "No access token does. Sign in for it." : `It takes one with the scope ${needed}.`,
    challenge: `Bearer error="insufficient_scope"${needed === null ? "" : `, scope="${needed}"`}`,
  });
}

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

/** Those of these tokens that are not accepted any more. A role that was taken away has revoked them. */
export async function findEndedTokens(db: Queryable, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const isOver = or(
    isNotNull(accessTokens.revokedAt),
    sql`${accessTokens.expiresAt} <= clock_timestamp()`,
    isNotNull(users.deactivatedAt),
    isUnconfirmedNow,
  );
  const rows = await db
    .select({ id: accessTokens.id })
    .from(accessTokens)
    .innerJoin(users, eq(users.id, accessTokens.userId))
    .where(and(inArray(accessTokens.id, [...new Set(ids)]), isOver));
  return rows.map(({ id }) => id);
}
