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
