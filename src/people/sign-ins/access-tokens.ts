import { createHash, createHmac, randomBytes } from "node:crypto";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { writeIntegerArray, writeTextArray } from "#db/ledger/query.ts";
import { programScopes, type TokenScope, tokenScopes } from "#db/lists/access-tokens.ts";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { sessions } from "#db/schema/sessions.ts";
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
import { can } from "./require-host.ts";
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
  /** Of a dock; null for all others. */
  sessionId: v.nullable(v.pipe(v.string(), v.toNumber())),
  byPasskey: v.boolean(),
  revoked: v.boolean(),
  expired: v.boolean(),
  /** The owner's account was deactivated, or was not confirmed in time. A lock stops new sign-ins only. */
  closed: v.boolean(),
  /** There is no session, or it was stopped. */
  over: v.boolean(),
  /** When it was last used has to be updated. */
  stale: v.boolean(),
});
type TokenRow = v.InferOutput<typeof tokenRow>;

/** What a program may do with its token. `sessionId`: of a dock; null for all others. */
export type AccessToken = { id: number; scope: TokenScope; sessionId: number | null };

/** Why a token is not accepted. `dock`: why a dock's is not, unless its show is `over`. */
export type TokenProblem = "unknown" | "revoked" | "expired" | "owner" | "dock" | "over";

type FoundToken =
  | { token: AccessToken; viewer: Viewer; problem: null }
  | { token: null; viewer: null; problem: TokenProblem };

/**
 * Finds an access token with its owner, as they are now. Concurrent requests share one query. Nothing is cached, so what revokes
 * a token, or takes its owner's role, counts at once in every process.
 */
export const findAccessToken = createBatcher(LOOKUP_BATCH_MAX, findTokens);

async function findTokens(deps: Deps, hashes: readonly string[]): Promise<FoundToken[]> {
  const found = new Map(
    (await findRows(deps, sql`${accessTokens.secretHash} = ANY (${writeTextArray(hashes)}::text[])`)).map(
      ({ row, owner }) => [row.secretHash, acceptToken(deps, row, owner)],
    ),
  );
  return hashes.map((hash) => found.get(hash) ?? refused("unknown"));
}

/** Those of these tokens that are not accepted any more. */
export async function findEndedTokens(deps: TokenDeps, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await findRows(deps, sql`${accessTokens.id} = ANY (${writeIntegerArray(ids)}::bigint[])`);
  const valid = new Set(
    rows.filter(({ row, owner }) => problemOf(row, owner) === null).map(({ row }) => row.id),
  );
  return ids.filter((id) => !valid.has(id));
}

type TokenDeps = Pick<Deps, "env" | "pool">;
async function findRows({ pool, env }: TokenDeps, which: SQL): Promise<{ row: TokenRow; owner: Viewer }[]> {
  const rows = await pool.db.execute(sql`
    SELECT ${accessTokens.id} AS id, ${accessTokens.secretHash} AS "secretHash", ${accessTokens.scope} AS scope,
      ${accessTokens.sessionId} AS "sessionId", ${accessTokens.byPasskey} AS "byPasskey",
      ${accessTokens.revokedAt} IS NOT NULL AS revoked, ${accessTokens.expiresAt} <= clock_timestamp() AS expired,
      (${users.deactivatedAt} IS NOT NULL OR ${isUnconfirmedNow}) AS closed,
      NOT EXISTS (SELECT 1 FROM ${sessions} s WHERE s.id = ${accessTokens.sessionId} AND s.state <> 'stopped') AS over,
      coalesce(${accessTokens.lastUsedAt} < clock_timestamp() - make_interval(secs => ${TOUCH_AFTER_SECONDS}), true) AS stale,
      ${viewerColumns}
    FROM ${accessTokens} JOIN ${users} ON ${users.id} = ${accessTokens.userId} WHERE ${which}`);
  return [...rows].map((each) => {
    const row = v.parse(tokenRow, each);
    // Where admins need passkeys, so did the sign-in that made it.
    return { row, owner: withholdRoles(env, v.parse(viewerRow, each), row) };
  });
}

/** Decides whether a token is accepted, and records its use. */
function acceptToken(deps: Deps, row: TokenRow, owner: Viewer): FoundToken {
  const { id, scope, sessionId, stale } = row;
  const problem = problemOf(row, owner);
  if (problem !== null) return refused(problem);
  if (scope === null) return refused("unknown");
  if (stale) void touchToken(deps, id);
  return { token: { id, scope, sessionId }, viewer: { ...owner, accessTokenId: id }, problem: null };
}

function refused(problem: TokenProblem): FoundToken {
  return { token: null, viewer: null, problem };
}

function problemOf(row: TokenRow, owner: Viewer): TokenProblem | null {
  const { sessionId, revoked, expired, closed, over } = row;
  const isDown = closed || owner.guest;
  if (sessionId !== null) {
    if (revoked || expired || isDown || !can(owner, "run", { id: sessionId })) return "dock";
    return over ? "over" : null;
  }
  if (revoked) return "revoked";
  if (expired) return "expired";
  return isDown || !isAdmin(owner) ? "owner" : null;
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
  const secret = readBearer(request) ?? readOffered(request);
  return secret?.startsWith(PREFIX) === true ? secret : null;
}

/** Browsers let a page set one header of the handshake of a socket: the names of the protocols that it offers. */
function readOffered({ headers }: Request): string | null {
  const offers = headers.get("sec-websocket-protocol")?.split(",") ?? [];
  return offers.map((offer) => offer.trim()).find((offer) => offer.startsWith(PREFIX)) ?? null;
}

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

/** The least scope that opens an endpoint to a program's token; null: none opens it. A dock has its own (`dock` of the record). */
export function scopeOf({ route, who, token }: TokenRule): (typeof programScopes)[number] | null {
  const { method, path } = partsOf({ route });
  if (!path.startsWith("/api/v1/") || who === "public" || token === "none") return null;
  return token ?? (method === "GET" ? "read" : null);
}

type TokenRule = Pick<Endpoint, "route" | "who" | "token" | "dock">;

/** Refuses what is outside the scope of a program's token: 403. @param endpoint null: what is none. */
export function requireScope({ scope }: AccessToken, endpoint: TokenRule | null): void {
  const needed = endpoint === null ? null : scopeOf(endpoint);
  if (scope === "dock") {
    if (endpoint?.dock === true) return;
    throw outsideScope("This dock does not open this.", "What it does not show is done in the control room.");
  }
  if (needed !== null && programScopes.indexOf(scope) >= programScopes.indexOf(needed)) return;
  throw outsideScope(
    "This access token does not open this.",
    needed === null ? "No access token does. Sign in for it." : `It takes one with the scope ${needed}.`,
    needed === null ? "" : `, scope="${needed}"`,
  );
}

function outsideScope(text: string, detail: string, needed = ""): Refusal {
  const challenge = `Bearer error="insufficient_scope"${needed}`;
  return new Refusal(403, "outside_scope", text, { detail, challenge });
}

/** The transitions of an event that a dock performs: no settlement that is paid is reset by it. */
const dockTransitions: readonly (string | undefined)[] = ["close_event", "resolve", "withdraw"];

/** Refuses a transition that a dock does not perform: 403. */
export function requireDockTransition(asking: Asking, name: string | undefined): void {
  if (!dockTransitions.includes(name)) refuseDock(asking);
}

/** Refuses a dock what reaches beyond its show: 403. */
export function refuseDock({ token }: Asking): void {
  if (token?.scope === "dock") requireScope(token, null);
}

type Asking = { token: AccessToken | null };

type Revoked =
  | { userId: number; sessionId?: undefined; only?: number }
  | { userId?: undefined; sessionId: number; only: number };

/**
 * Revokes a user's access tokens, or one of them, or a dock of a session. From the commit on no process accepts them.
 * @param only the id of a token.
 * @returns the ids of those that were not revoked before.
 */
export async function revokeAccessTokens(
  tx: Queryable,
  { userId, sessionId, only }: Revoked,
): Promise<number[]> {
  const revoked = await tx
    .update(accessTokens)
    .set({ revokedAt: sql`clock_timestamp()` })
    .where(
      and(
        userId === undefined ? undefined : eq(accessTokens.userId, userId),
        sessionId === undefined ? undefined : eq(accessTokens.sessionId, sessionId),
        only === undefined ? undefined : eq(accessTokens.id, only),
        isNull(accessTokens.revokedAt),
      ),
    )
    .returning({ id: accessTokens.id });
  return revoked.map(({ id }) => id);
}
