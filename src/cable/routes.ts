import { Elysia } from "elysia";
import type { Deps } from "#src/base/deps.ts";
import { acceptConnection } from "./accept-connection.ts";
import type { Hub } from "./hub.ts";

/** A larger frame closes its socket. Bytes. */
const PAYLOAD_MAX = 64 * 1_024;
/** Slow clients are noticed far earlier. Only a burst can reach this limit, which closes the socket without a disconnect frame. */
const BACKPRESSURE_MAX = 4 * 1_024 * 1_024;

/**
 * For the Elysia instance that listens: `new Elysia({ websocket: cableWebsocketOptions })`. Bun's idle timeout is off, because
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

/** GET /cable upgrades to a websocket. Without Elysia's `.ws()`, which parses each message as JSON before it can be checked. */
export function cableRoutes(deps: Deps, hub: Hub) {
  return new Elysia({ name: "cable" }).get("/cable", ({ request, server }) =>
    acceptConnection(request, { deps, hub, server }),
  );
}
