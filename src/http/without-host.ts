import type { Deps } from "#src/base/deps.ts";
import { malformed } from "#src/base/refusal.ts";
import { answerError } from "./answer-error.ts";
import type { RequestContext } from "./request-context.ts";
import { setSecurityHeaders } from "./security-headers.ts";

// Decision: everything behind this file may parse the address of a request. Bun takes it from the Host header, which HTTP/1.0 does not
// have (the health checks of HAProxy and Nagios) and which may be anything. Only health checks are answered without one.

/** The origin of a request whose host is missing or unreadable. No host has this name (RFC 6761). */
const ORIGIN = "http://no-host.invalid";
const healthPath = /^\/(up|ready)\/?(\?|$)/;

/** The request itself, or one with an address that can be parsed in its place; its body is left behind. */
export function withReadableHost(request: Request): Request {
  if (URL.canParse(request.url)) return request;
  const { headers, signal } = request;
  const method = request.method === "HEAD" ? "HEAD" : "GET";
  const target = targetOf(request.url);
  const isHealthCheck = method === request.method && healthPath.test(target);
  return new Request(`${ORIGIN}${isHealthCheck ? target : "/"}`, { method, headers, signal });
}

/** True for a request that nothing but 400 can answer. */
export function lacksHost(request: Request): boolean {
  return request.url === `${ORIGIN}/`;
}

/** Refuses a request that lacks its host. */
export function refuseWithoutHost(
  { env, log }: Pick<Deps, "env" | "log">,
  context: RequestContext,
): Response {
  const refusal = malformed("The Host header is missing or is not a host.");
  const response = answerError(refusal, context, log);
  setSecurityHeaders(response.headers, env, context);
  return response;
}

/** The path and the query. Without a host that it can use Bun gives these alone, or an address that cannot be parsed. */
function targetOf(address: string): string {
  return address.startsWith("/")
    ? address
    : (/^\w+:\/\/[^/]*(?<target>\/.*)$/.exec(address)?.groups?.["target"] ?? "");
}
