import { tokenScopes, type TokenScope } from "#db/lists/access-tokens.ts";
import { Refusal } from "#src/base/refusal.ts";
import type { Endpoint } from "#src/http/endpoint.ts";
import type { AccessToken } from "./find-access-token.ts";

// Decision: what a token may do follows from the endpoint's record, so that no endpoint can be forgotten: reads are open and changes are
// closed, except where the record says otherwise.

/** The least scope that opens an endpoint to a token; null: no token opens it. */
export function scopeOf({ method, path, who, token }: TokenRule): TokenScope | null {
  if (!path.startsWith("/api/v1/") || who === "public" || token === "none") return null;
  return token ?? (method === "GET" ? "read" : null);
}

type TokenRule = Pick<Endpoint, "method" | "path" | "who" | "token">;

/** Refuses what is outside the scope of a program's token: 403. @param needed null: no token opens it. */
export function requireScope({ scope }: AccessToken, needed: TokenScope | null): void {
  if (needed !== null && tokenScopes.indexOf(scope) >= tokenScopes.indexOf(needed)) return;
  throw new Refusal(403, "outside_scope", "This access token does not open this.", {
    detail:
      needed === null ? "No access token does. Sign in for it." : `It takes one with the scope ${needed}.`,
    challenge: `Bearer error="insufficient_scope"${needed === null ? "" : `, scope="${needed}"`}`,
  });
}
