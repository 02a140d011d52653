import type { Server } from "bun";
import type { Deps } from "#src/base/deps.ts";
import { authenticate } from "#src/sign-ins/authenticate.ts";
import { refusedConnection } from "./connection.ts";
import type { Protocol } from "./frames.ts";
import type { Hub } from "./hub.ts";

type UpgradeContext = { deps: Deps; hub: Hub; server: Server<unknown> | null };

/**
 * Upgrades a request for /cable to a websocket.
 *
 * Signed-out clients are upgraded too, and then disconnected with `unauthorized`: Action Cable's client takes a refused
 * handshake for a bad network and would retry for ever. A page of a signed-out viewer polls every 2 s instead. For the same
 * reason a client with a query that cannot be read is upgraded and then disconnected with `invalid_request`.
 * @returns nothing after an upgrade. Otherwise 404 for an ordinary request and for a foreign or missing Origin, 503 while the
 *   server stops, and 426 (by Bun itself) or 400 for a broken handshake.
 */
export async function acceptConnection(
  request: Request,
  { deps, hub, server }: UpgradeContext,
): Promise<Response | undefined> {
  if (server === null || !isWebsocketUpgrade(request) || !isAllowedOrigin(request, deps.env.publicUrl))
    return notFound();
  if (hub.stopping) return new Response(null, { status: 503, headers: { "retry-after": "1" } });
  hub.attach(server);
  const { name, protocol } = chooseSubprotocol(request.headers.get("sec-websocket-protocol"));
  const headers = { "sec-websocket-protocol": name };
  const data = await chooseConnection(request, { deps, hub, protocol });
  return server.upgrade(request, { headers, data }) ? undefined : badHandshake();
}

type Accepted = Pick<UpgradeContext, "deps" | "hub"> & { protocol: Protocol };

async function chooseConnection(request: Request, { deps, hub, protocol }: Accepted) {
  const query = readQuery(new URL(request.url).search);
  if (query === null) return refusedConnection("invalid_request");
  const { viewer, signInId } = await authenticate(deps, request);
  if (viewer === null) return refusedConnection("unauthorized");
  return hub.connection({ viewer, signInId, protocol, ...query });
}

/** Ids of connections, as this and other servers make them. */
const sidForm = /^[\w-]{1,64}$/;

/**
 * Reads the query of a handshake: with `sid` an extended client names the connection that it resumes.
 * @returns null if the query is not percent-encoded UTF-8, or if it has several sids or one that is no id.
 */
function readQuery(search: string): { previousSid: string | null } | null {
  if (!isPercentEncoded(search)) return null;
  const [sid = "", ...others] = new URLSearchParams(search).getAll("sid");
  if (sid === "" && others.length === 0) return { previousSid: null };
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
function isAllowedOrigin(request: Request, publicUrl: string): boolean {
  const origin = request.headers.get("origin");
  const host = request.headers.get("host");
  if (origin === null || !URL.canParse(origin)) return false;
  return origin === new URL(publicUrl).origin || new URL(origin).host === host;
}

const EXTENDED = "actioncable-v1-ext-json";
/** The supported subprotocols. `actioncable-unsupported` tells a client that none of its other offers is supported. */
const subprotocols = ["actioncable-v1-json", EXTENDED, "actioncable-unsupported"];

/**
 * Chooses the first supported subprotocol.
 * @param offer the header Sec-WebSocket-Protocol, null without one.
 * @returns the name "" if none is supported: Bun then omits the header. Without a name it would echo the first offer.
 */
function chooseSubprotocol(offer: string | null): { name: string; protocol: Protocol } {
  const offered = (offer ?? "").split(",").map((name) => name.trim());
  const name = offered.find((each) => subprotocols.includes(each)) ?? "";
  return { name, protocol: name === EXTENDED ? "ext" : "plain" };
}

function notFound(): Response {
  return new Response("not found", { status: 404, headers: { "content-type": "text/plain" } });
}

function badHandshake(): Response {
  return new Response("not a websocket handshake", {
    status: 400,
    headers: { "content-type": "text/plain" },
  });
}
