import { expect, test } from "bun:test";
import { type DisconnectReason, disconnection } from "#src/cable/frames.ts";

const comesBack: [DisconnectReason, boolean][] = [
  ["unauthorized", false],
  ["invalid_request", false],
  ["server_restart", true],
  ["remote", true],
];

test.each(comesBack)("a disconnect says why (%s) and whether to come back (%p)", (reason, reconnect) => {
  expect(JSON.parse(disconnection(reason))).toEqual({ type: "disconnect", reason, reconnect });
});
