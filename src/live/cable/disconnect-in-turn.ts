import type { RegisteredConnection } from "./hub-api.ts";

/** Disconnects are spread over at most this time, so that not all clients reconnect at once. */
const WITHIN_MS = 2_000;
const EVERY_MS = 4;

/** Disconnects all clients of a process that stops. */
export async function disconnectInTurn(connections: ReadonlySet<RegisteredConnection>): Promise<void> {
  const stepMs = Math.min(EVERY_MS, WITHIN_MS / Math.max(1, connections.size));
  const startMs = performance.now();
  let disconnected = 0;
  for (const connection of connections) {
    disconnected += 1;
    const aheadMs = startMs + disconnected * stepMs - performance.now();
    if (aheadMs > 1) await Bun.sleep(aheadMs);
    connection.disconnect("server_restart");
  }
}
