import type { Server } from "bun";
import type { Deps } from "#src/base/deps.ts";
import { authenticate } from "#src/sign-ins/authenticate.ts";
import { chooseSubprotocol } from "./choose-subprotocol.ts";
import { unauthorizedConnection } from "./connection.ts";
import type { Hub } from "./hub.ts";

type Door = { deps: Deps; hub: Hub; server: Server<unknown> | null };

/**
 * Turns a request for /cable into a socket.
 * @returns nothing once it is one. 404 for an ordinary request and for a foreign or missing Origin, 503 while the server
 *   stops. A broken handshake is answered before there is a socket: 426 (by Bun itself) or 400.
 */
export async function acceptConnection(
  request: Request,
  { deps, hub, server }: Door,
): Promise<Response | undefined> {
  if (server === null || !asksForSocket(request) || !isWelcomeFrom(request, deps.env.publicUrl))
    return nothingHere();
  if (hub.stopping) return new Response(null, { status: 503, headers: { "retry-after": "1" } });
  hub.attach(server);
  const { viewer, signInId } = await authenticate(deps, request);
  const { name, wire } = chooseSubprotocol(request.headers.get("sec-websocket-protocol"));
  const formerSid = new URL(request.url).searchParams.get("sid") || null;
  const connection =
    viewer === null ? unauthorizedConnection : hub.connection({ viewer, signInId, wire, formerSid });
  const headers = { "sec-websocket-protocol": name };
  return server.upgrade(request, { headers, data: connection }) ? undefined : brokenHandshake();
}

function asksForSocket(request: Request): boolean {
  return request.headers.get("upgrade")?.toLowerCase() === "websocket";
}

/** A page of ours: served by the host that was asked, or from the public address. A browser always says where it is from. */
function isWelcomeFrom(request: Request, publicUrl: string): boolean {
  const origin = request.headers.get("origin");
  const host = request.headers.get("host");
  if (origin === null || !URL.canParse(origin)) return false;
  return origin === new URL(publicUrl).origin || new URL(origin).host === host;
}

function nothingHere(): Response {
  return new Response("not found", { status: 404, headers: { "content-type": "text/plain" } });
}

function brokenHandshake(): Response {
  return new Response("not a websocket handshake", {
    status: 400,
    headers: { "content-type": "text/plain" },
  });
}
