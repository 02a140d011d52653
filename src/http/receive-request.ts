import { readRequestId, readTraceparent, runFor } from "#src/base/cause.ts";
import type { Deps } from "#src/base/deps.ts";
import { countRequest } from "#src/base/instruments.ts";
import { inSpan } from "#src/base/spans.ts";
import { clientAddress, isTrustedPeer } from "./client-address.ts";
import { isPublicAddress } from "./outside/public-address.ts";
import { isPageRequest, pathOf } from "./page-request.ts";
import { createRequestContext, type RequestContext } from "./request-context.ts";
import { logRequest } from "./request-log.ts";

/** The status of an upgrade to a websocket. */
const SWITCHED = 101;

/** Files and health checks have no endpoint. */
const otherRoutes: [start: string, route: string][] = [
  ["/assets/", "/assets/:name"],
  ["/admin/queues", "/admin/queues"],
  ["/dev/mail", "/dev/mail"],
];
const plainRoutes = new Set([
  "/up",
  "/ready",
  "/version",
  "/metrics",
  "/cable",
  "/favicon.ico",
  "/robots.txt",
  "/manifest.webmanifest",
  "/service-worker.js",
]);

// Decision: nothing is done for a client that has reset its connection. It gets no answer, and has no address by which limits could
// count it, so a client that sends and resets would have no limits.

/** What the log has for such a request, as nginx's does. */
const CLIENT_GONE = 499;

/**
 * Receives a request: creates its context and answers it. A trusted proxy may have given it an id (X-Request-Id) and a span
 * (traceparent); of anybody else they are ignored.
 * @param peer the address of the connection's other end; empty if there was no connection, null if it has been reset.
 */
export function receiveRequest(
  { env, log }: Pick<Deps, "env" | "log">,
  request: Request,
  { peer, answer }: { peer: string | null; answer: () => Promise<Response | undefined> },
): Promise<Response | undefined> {
  if (peer === null) return leaveUnanswered(log, request);
  const { trustedProxies } = env;
  const address = clientAddress(request, peer, trustedProxies);
  const isTrusted = isTrustedPeer(peer, trustedProxies);
  if (!isTrusted && request.headers.has("x-forwarded-for")) warnOfUnnamedProxy({ env, log }, address);
  const sent = (name: string) => (isTrusted ? request.headers.get(name) : null);
  const context = createRequestContext(request, address, readRequestId(sent("x-request-id")));
  return runRequest(request, { context, traceparent: readTraceparent(sent("traceparent")) }, answer);
}

const warned = new WeakSet<Deps["env"]>();

/** Once: behind a proxy that is not named all players are one address. An address of the Internet is a client's own invention. */
function warnOfUnnamedProxy({ env, log }: Pick<Deps, "env" | "log">, peer: string): void {
  if (warned.has(env) || isPublicAddress(peer)) return;
  warned.add(env);
  log.warn(
    "requests come through a proxy of this network that TRUSTED_PROXIES does not name, so all players share its limits: " +
      "add its address, or its network",
  );
}

async function leaveUnanswered(log: Deps["log"], request: Request): Promise<Response> {
  const context = createRequestContext(request, "");
  logRequest(log, request, { context, status: CLIENT_GONE, userId: null, tokenId: null });
  return new Response(null, { status: CLIENT_GONE });
}

/**
 * Answers a request as the cause of all that it leads to, in a span of its own, and counts the answer.
 * @param traceparent the span of the trusted proxy that sent the request; null without one.
 */
async function runRequest(
  request: Request,
  { context, traceparent }: { context: RequestContext; traceparent: string | null },
  answer: () => Promise<Response | undefined>,
): Promise<Response | undefined> {
  const { method } = request;
  const response = await runFor({ requestId: context.requestId, span: null }, () =>
    inSpan(
      method,
      async (span) => {
        const answered = await answer();
        if (span !== null) {
          const route = routeOf(request, context) ?? "none";
          span.updateName(`${method} ${route}`);
          span.setAttribute("http.route", route);
          span.setAttribute("http.response.status_code", answered?.status ?? SWITCHED);
        }
        return answered;
      },
      { kind: "server", parent: traceparent, attributes: { "http.request.method": method } },
    ),
  );
  countRequest({
    method,
    route: routeOf(request, context),
    status: response?.status ?? SWITCHED,
    tookMs: performance.now() - context.startedAtMs,
  });
  return response;
}

/** The pattern of a request's path; null for a path that led nowhere. */
function routeOf(request: Request, { route }: RequestContext): string | null {
  if (route !== null) return route;
  const path = pathOf(request);
  if (plainRoutes.has(path)) return path;
  const known = otherRoutes.find(([start]) => path.startsWith(start));
  if (known !== undefined) return known[1];
  // Such as one that led to another page.
  return isPageRequest(request) ? "page" : null;
}
