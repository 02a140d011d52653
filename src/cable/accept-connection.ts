import type { Server } from "bun";
import type { Deps } from "#src/base/deps.ts";
import { authenticate } from "#src/sign-ins/authenticate.ts";
import { unauthorizedConnection } from "./connection.ts";
import type { Protocol } from "./frames.ts";
import type { Hub } from "./hub.ts";

type UpgradeContext = { deps: Deps; hub: Hub; server: Server<unknown> | null };

/**
 * Upgrades a request for /cable to a websocket.
 *
 * Signed-out clients are upgraded too, and then disconnected with `unauthorized`: Action Cable's client takes a refused
 * handshake for a bad network and would retry for ever. A page of a signed-out viewer polls every 2 s instead.
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
  const { viewer, signInId } = await authenticate(deps, request);
  const { name, protocol } = chooseSubprotocol(request.headers.get("sec-websocket-protocol"));
  const previousSid = new URL(request.url).searchParams.get("sid") || null;
  const connection =
    viewer === null ? unauthorizedConnection : hub.connection({ viewer, signInId, protocol, previousSid });
  const headers = { "sec-websocket-protocol": name };
  return server.upgrade(request, { headers, data: connection }) ? undefined : badHandshake();
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
