import type { Server } from "bun";
import type { Deps } from "#src/base/deps.ts";
import { cable } from "#src/base/instruments.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { authenticate, type Authentication } from "#src/people/sign-ins/authenticate.ts";
import { refusedConnection } from "./connection.ts";
import type { Protocol } from "./frames.ts";
import type { Hub } from "./hub.ts";

// Decision: handshakes pass the framework by. After a break all players of a show connect at the same moment, and routing one costs
// more than accepting it.

/** True for a request that the handler of the cable answers. */
export function isCableRequest({ request, path }: RequestContext): boolean {
  return (path === "/cable" || path === "/cable/") && (request.method === "GET" || request.method === "HEAD");
}

type CableContext = {
  deps: Deps;
  hub: Hub;
  /** The server that listens; null before it does. */
  server: () => Server<unknown> | null;
};
type Handshake = Omit<CableContext, "server"> & { server: Server<unknown> | null; publicOrigin: string };

/** Creates the handler of requests for /cable; see acceptConnection. */
export function cableHandler({ deps, hub, server }: CableContext) {
  const publicOrigin = new URL(deps.env.publicUrl).origin;
  return (context: RequestContext) =>
    acceptConnection(context, { deps, hub, server: server(), publicOrigin });
}

/**
 * Upgrades a request for /cable to a websocket.
 *
 * Signed-out clients are upgraded too, and then disconnected with `unauthorized`: Action Cable's client takes a refused
 * handshake for a bad network and would retry for ever. A page of a signed-out viewer polls every 2 s instead. For the same
 * reason a client with a query that cannot be read is upgraded and then disconnected with `invalid_request`. A program whose token is
 * not valid is refused with 401.
 * @returns nothing after an upgrade. Otherwise 404 for an ordinary request and for a foreign or missing Origin, 503 while the
 *   server stops and for an address with too many sockets, and 426 or 400 for a broken handshake.
 */
async function acceptConnection(
  context: RequestContext,
  { deps, hub, server, publicOrigin }: Handshake,
): Promise<Response | undefined> {
  const { request, address } = context;
  const asking = await authenticate(deps, context);
  // A program has no origin, and no page sends its token by itself.
  const mayConnect = asking.token !== null || isAllowedOrigin(request, publicOrigin);
  if (server === null || !mayConnect || !isWebsocketUpgrade(request)) return notFound();
  if (hub.stopping || !hub.hasRoomFor(address)) return busy();
  if (request.headers.get("sec-websocket-version") !== VERSION) return otherVersion();
  hub.attach(server);
  const { protocol, headers } = chooseSubprotocol(request.headers.get("sec-websocket-protocol"));
  const data = chooseConnection(request, { asking, hub, protocol });
  if (!server.upgrade(request, { headers, data })) return badHandshake();
  cable.opened.inc();
  return undefined;
}

type Accepted = { asking: Authentication; hub: Hub; protocol: Protocol };

function chooseConnection({ url }: Request, { asking, hub, protocol }: Accepted) {
  const query = readQuery(url);
  if (query === null) return refusedConnection("invalid_request");
  const { viewer, token, signInId, address } = asking;
  if (viewer === null) return refusedConnection("unauthorized");
  return hub.connection({ viewer, token, signInId, protocol, address, ...query });
}

/** Of the protocol (RFC 6455). */
const VERSION = "13";
/** Ids of connections, as this and other servers make them. */
const sidForm = /^[\w-]{1,64}$/;
const noQuery = { previousSid: null };

/**
 * Reads the query of a handshake: with `sid` an extended client names the connection that it resumes.
 * @returns null if the query is not percent-encoded UTF-8, or if it has several sids or one that is no id.
 */
function readQuery(url: string): { previousSid: string | null } | null {
  if (!url.includes("?")) return noQuery;
  const { search } = new URL(url);
  if (!isPercentEncoded(search)) return null;
  const [sid = "", ...others] = new URLSearchParams(search).getAll("sid");
  if (sid === "" && others.length === 0) return noQuery;
  return others.length === 0 && sidForm.test(sid) ? { previousSid: sid } : null;
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function isWebsocketUpgrade(request: Request): boolean {
  return request.headers.get("upgrade")?.toLowerCase() === "websocket";
}

/** True for pages of this product: from the requested host or from the public URL. Browsers always send an Origin. */
function isAllowedOrigin(request: Request, publicOrigin: string): boolean {
  const origin = request.headers.get("origin");
  const host = request.headers.get("host");
  return origin !== null && (origin === publicOrigin || URL.parse(origin)?.host === host);
}

type Subprotocol = { protocol: Protocol; headers: Record<string, string> };

const subprotocol = (name: string, protocol: Protocol = "plain"): Subprotocol => ({
  protocol,
  headers: { "sec-websocket-protocol": name },
});
/** The supported subprotocols. `actioncable-unsupported` tells a client that none of its other offers is supported. */
const subprotocols = new Map([
  ["actioncable-v1-json", subprotocol("actioncable-v1-json")],
  ["actioncable-v1-ext-json", subprotocol("actioncable-v1-ext-json", "ext")],
  ["actioncable-unsupported", subprotocol("actioncable-unsupported")],
]);
/** Without a name Bun would echo the first offer; with this one it omits the header. */
const noSubprotocol = subprotocol("");

/**
 * Chooses the first supported subprotocol.
 * @param offer the header Sec-WebSocket-Protocol, null without one.
 */
function chooseSubprotocol(offer: string | null): Subprotocol {
  for (const name of (offer ?? "").split(",")) {
    const supported = subprotocols.get(name.trim());
    if (supported !== undefined) return supported;
  }
  return noSubprotocol;
}

function notFound(): Response {
  return new Response("not found", { status: 404, headers: { "content-type": "text/plain" } });
}

function busy(): Response {
  return new Response(null, { status: 503, headers: { "retry-after": "1" } });
}

/** Bun would answer so itself, and say that it has upgraded the request. */
function otherVersion(): Response {
  return new Response(null, {
    status: 426,
    headers: { upgrade: "websocket", "sec-websocket-version": VERSION },
  });
}

function badHandshake(): Response {
  return new Response("not a websocket handshake", {
    status: 400,
    headers: { "content-type": "text/plain" },
  });
}

/** A larger frame closes its socket. Bytes. */
const PAYLOAD_MAX = 64 * 1_024;
/** Slow clients are noticed far earlier. Only a burst can reach this limit, which closes the socket without a disconnect frame. */
const BACKPRESSURE_MAX = 4 * 1_024 * 1_024;

/**
 * For the Elysia instance that listens: `new Elysia({ websocket: cableWebsocketOptions })`, which passes what happens to a socket to
 * its `data`. Not Elysia's `.ws()`, which parses each message as JSON before it can be checked. Bun's idle timeout is off, because
 * it never ends while pings are sent; the hub probes its sockets itself.
 */
export const cableWebsocketOptions = {
  maxPayloadLength: PAYLOAD_MAX,
  backpressureLimit: BACKPRESSURE_MAX,
  closeOnBackpressureLimit: true,
  idleTimeout: 0,
  sendPings: false,
  perMessageDeflate: false,
};
