import { readRequestId, readTraceparent } from "#src/base/cause.ts";
import type { Deps } from "#src/base/deps.ts";
import { clientAddress, isTrustedPeer } from "./client-address.ts";
import { createRequestContext } from "./request-context.ts";
import { runRequest } from "./run-request.ts";

/**
 * Receives a request: creates its context and answers it. A trusted proxy may have given it an id (X-Request-Id) and a span
 * (traceparent); of anybody else they are ignored.
 * @param peer the address of the connection's other end; empty if there was no connection.
 */
export function receiveRequest(
  { env }: Pick<Deps, "env">,
  request: Request,
  { peer, answer }: { peer: string; answer: () => Promise<Response | undefined> },
): Promise<Response | undefined> {
  const { trustedProxies } = env;
  const address = clientAddress(request, peer, trustedProxies);
  const isTrusted = isTrustedPeer(peer, trustedProxies);
  const sent = (name: string) => (isTrusted ? request.headers.get(name) : null);
  const context = createRequestContext(request, address, readRequestId(sent("x-request-id")));
  return runRequest(request, { context, traceparent: readTraceparent(sent("traceparent")) }, answer);
}
