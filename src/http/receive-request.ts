import { readRequestId, readTraceparent } from "#src/base/cause.ts";
import type { Deps } from "#src/base/deps.ts";
import { clientAddress, isTrustedPeer } from "./client-address.ts";
import { createRequestContext } from "./request-context.ts";
import { logRequest } from "./request-log.ts";
import { runRequest } from "./run-request.ts";

// Decision: nothing is done for a client that has reset its connection. It gets no answer, and has no address by which limits could
// count it, so whoever sends and resets would have no limits.

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
  const sent = (name: string) => (isTrusted ? request.headers.get(name) : null);
  const context = createRequestContext(request, address, readRequestId(sent("x-request-id")));
  return runRequest(request, { context, traceparent: readTraceparent(sent("traceparent")) }, answer);
}

async function leaveUnanswered(log: Deps["log"], request: Request): Promise<Response> {
  const context = createRequestContext(request, "");
  logRequest(log, request, { context, status: CLIENT_GONE, userId: null, tokenId: null });
  return new Response(null, { status: CLIENT_GONE });
}
