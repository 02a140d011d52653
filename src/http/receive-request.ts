import { readRequestId, readTraceparent, runFor } from "#src/base/cause.ts";
import type { Deps } from "#src/base/deps.ts";
import { countRequest } from "#src/base/instruments.ts";
import { inSpan } from "#src/base/spans.ts";
import { isPublicAddress } from "#src/http/outside/public-address.ts";
import { addressesIn, readAddress } from "#src/settings/networks.ts";
import { createRequestContext, logRequest, type RequestContext } from "./request-context.ts";

/** The status of an upgrade to a websocket. */
const SWITCHED = 101;

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
  { peer, answer }: { peer: string | null; answer: Answer },
): Promise<Response | undefined> {
  if (peer === null) return leaveUnanswered(log, request);
  const { trustedProxies } = env;
  const address = clientAddress(request, peer, trustedProxies);
  const isTrusted = isTrustedPeer(peer, trustedProxies);
  if (!isTrusted && request.headers.has("x-forwarded-for")) warnOfUnnamedProxy({ env, log }, address);
  const sent = (name: string) => (isTrusted ? request.headers.get(name) : null);
  const context = createRequestContext(request, address, readRequestId(sent("x-request-id")));
  context.peer = peer;
  return runRequest(context, readTraceparent(sent("traceparent")), answer);
}

type Answer = (context: RequestContext) => Promise<Response | undefined>;

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
  logRequest(log, context, { status: CLIENT_GONE, userId: null, tokenId: null });
  return new Response(null, { status: CLIENT_GONE });
}

/**
 * Answers a request as the cause of all that it leads to, in a span of its own, and counts the answer.
 * @param traceparent the span of the trusted proxy that sent the request; null without one.
 */
async function runRequest(
  context: RequestContext,
  traceparent: string | null,
  answer: Answer,
): Promise<Response | undefined> {
  const { method } = context.request;
  const response = await runFor({ requestId: context.requestId, span: null }, () =>
    inSpan(
      method,
      async (span) => {
        const answered = await answer(context);
        if (span !== null) {
          const route = routeOf(context) ?? "none";
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
    route: routeOf(context),
    status: response?.status ?? SWITCHED,
    tookMs: performance.now() - context.startedAtMs,
  });
  return response;
}

/** The pattern of a request's path; null for a path that led nowhere. */
function routeOf({ route, isPage }: RequestContext): string | null {
  // A page has none if it led to another one.
  return route ?? (isPage ? "page" : null);
}

/**
 * The client's address, in its one spelling and without a port. X-Forwarded-For counts only if the connection comes from a trusted
 * proxy. The client is then the last address in it that is not a trusted proxy. Where a proxy has written something else, such as
 * "unknown", the client is not known, and the connection's address counts.
 * @param peer the address of the connection's other end; empty if there was no connection.
 * @param trustedProxies addresses and networks.
 */
export function clientAddress(request: Request, peer: string, trustedProxies: readonly string[]): string {
  const direct = readAddress(peer) ?? peer;
  const isTrusted = trustOf(trustedProxies);
  if (!isTrusted(direct)) return direct;
  const hops = (request.headers.get("x-forwarded-for") ?? "").split(",").filter((hop) => hop.trim() !== "");
  return hops.map(readAddress).findLast((hop) => hop === null || !isTrusted(hop)) ?? direct;
}

/** True if what the headers of a request say about its origin can be believed: a trusted proxy has sent it. */
export function isTrustedPeer(peer: string, trustedProxies: readonly string[]): boolean {
  return trustOf(trustedProxies)(readAddress(peer) ?? peer);
}

type Trust = (address: string) => boolean;

/** By the list of the settings, which is read once. */
const trusts = new WeakMap<readonly string[], Trust>();

function trustOf(trustedProxies: readonly string[]): Trust {
  const known = trusts.get(trustedProxies) ?? addressesIn(trustedProxies).has;
  trusts.set(trustedProxies, known);
  return known;
}
