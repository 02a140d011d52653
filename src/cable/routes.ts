import { Elysia } from "elysia";
import type { Deps } from "#src/base/deps.ts";
import { acceptConnection } from "./accept-connection.ts";
import type { Hub } from "./hub.ts";

/** A frame larger than this closes its socket. */
const PAYLOAD_MAX = 64 * 1_024;
/** Whoever is slow is noticed long before; only a burst can be so much that the socket goes without a goodbye. */
const BACKPRESSURE_MAX = 4 * 1_024 * 1_024;

/**
 * For the Elysia instance that listens: `new Elysia({ websocket: cableWebsocketOptions })`. The hub asks for signs of life
 * itself, because the idle timeout of a socket that is sent pings never ends.
 */
export const cableWebsocketOptions = {
  maxPayloadLength: PAYLOAD_MAX,
  backpressureLimit: BACKPRESSURE_MAX,
  closeOnBackpressureLimit: true,
  idleTimeout: 0,
  sendPings: false,
  perMessageDeflate: false,
};

/** GET /cable becomes a socket. Not Elysia's `.ws()`: that reads every message as JSON before it can be judged. */
export function cableRoutes(deps: Deps, hub: Hub) {
  return new Elysia({ name: "cable" }).get("/cable", ({ request, server }) =>
    acceptConnection(request, { deps, hub, server }),
  );
}
