import { expect, test } from "bun:test";
import { type DisconnectReason, disconnection } from "#src/live/cable/frames.ts";

const reconnects: [DisconnectReason, boolean][] = [
  ["unauthorized", false],
  ["invalid_request", false],
  ["server_restart", true],
  ["remote", true],
];

test.each(reconnects)(
  "a disconnect frame has the reason (%s) and whether to reconnect (%p)",
  (reason, reconnect) => {
    expect(JSON.parse(disconnection(reason))).toEqual({ type: "disconnect", reason, reconnect });
  },
);
