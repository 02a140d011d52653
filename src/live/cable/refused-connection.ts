import { disconnection } from "./frames.ts";
import type { CableSocket } from "./hub-api.ts";

export const NORMAL_CLOSURE = 1_000;

/** The connection of a client that is refused: disconnects it, without a welcome, so that it does not reconnect. */
export function refusedConnection(reason: "unauthorized" | "invalid_request") {
  return {
    open(socket: CableSocket): void {
      socket.sendText(disconnection(reason));
      socket.close(NORMAL_CLOSURE);
    },
  };
}
