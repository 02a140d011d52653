import { tokenScopes, type TokenScope } from "#db/lists/access-tokens.ts";
import { Refusal } from "#src/base/refusal.ts";
import type { Endpoint } from "#src/http/endpoint.ts";
import type { AccessToken } from "./find-access-token.ts";

// Decision: what a token may do follows from the endpoint's record, so that no endpoint can be forgotten: reads are open except for
// the ones below, and changes are closed except for those that run a show.

/** What is about people, their money and the product's secrets: closed to tokens, for reading too. */
const closedPath =
  /^\/api\/v1\/(users|transactions|payments|payment_flags|webhooks|webhook_deliveries|storage|shares|sessions\/:id\/(stage_link|session_hosts))(\/|\.|$)/;
/** What hosts are about to decide: only for programs that could decide it. */
const armedPath = /^\/api\/v1\/sessions\/:id\/hosts$/;
/** The changes that run a show, except for what the pages of hosts tell each other. */
const showPath = /^\/api\/v1\/((sessions|events)(\/(?!:id\/hosts\/)|$)|blueprints\/:id\/generate_session$)/;

/** The least scope that opens an endpoint to a token; null: no token opens it. */
export function scopeOf({ method, path, who }: Pick<Endpoint, "method" | "path" | "who">): TokenScope | null {
  if (!path.startsWith("/api/v1/") || who === "public" || closedPath.test(path)) return null;
  if (method === "GET") return armedPath.test(path) ? "run" : "read";
  return (who === "admin" || who === "host") && method !== "DELETE" && showPath.test(path) ? "run" : null;
}

/** Refuses what is outside the scope of a program's token: 403. @param needed null: no token opens it. */
export function requireScope({ scope }: AccessToken, needed: TokenScope | null): void {
  if (needed !== null && tokenScopes.indexOf(scope) >= tokenScopes.indexOf(needed)) return;
  throw new Refusal(403, "outside_scope", "This access token does not open this.", {
    detail:
      needed === null ? "No access token does. Sign in for it." : `It takes one with the scope ${needed}.`,
    challenge: `Bearer error="insufficient_scope"${needed === null ? "" : `, scope="${needed}"`}`,
  });
}
