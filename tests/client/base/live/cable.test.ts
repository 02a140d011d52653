import { expect, test } from "bun:test";
import { listen } from "#client/base/live/cable.ts";
import { readSync, updateConnection } from "#client/base/live/connection.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { PlayedCable } from "./played-cable.ts";

const closeDom = openDom();
const cable = new PlayedCable();
afterFile(async () => {
  await cable.stop();
  await closeDom();
  // Other test files have this page's state too.
  updateConnection({ connected: true, dismissed: null });
});

function listenTo(id: string) {
  const received = { connected: 0, missed: 0, messages: [] as unknown[] };
  const stop = listen(
    `${cable.origin}/cable`,
    { channel: "SessionsChannel", id, offset: null },
    {
      missed: () => void (received.missed += 1),
      connected: () => void (received.connected += 1),
      received: (message) => void received.messages.push(message),
    },
  );
  return { received, stop };
}

const presence: SessionMessage = {
  sourceType: "Presence",
  eventType: "count",
  detail: { playersOnline: 3, version: 1, serverTime: "2026-11-21T20:14:00.000Z" },
};
/** How often a session's page has sent this command. */
const countOf = (name: string, id: string) =>
  cable.commands.filter(({ command, identifier }) => command === name && identifier.includes(`"${id}"`))
    .length;

test("two listeners of one session share a subscription, and both receive its messages", async () => {
  const one = listenTo("derby");
  await waitFor("the first to be connected", () => one.received.connected === 1);
  const other = listenTo("derby");
  expect(other.received).toMatchObject({ connected: 1, missed: 1 });
  cable.broadcast({ channel: "SessionsChannel", id: "derby" }, presence);
  await waitFor(
    "both to receive it",
    () => one.received.messages.length === 1 && other.received.messages.length === 1,
  );
  expect(one.received.messages).toMatchObject([presence]);
  expect(countOf("subscribe", "derby")).toBe(1);
  one.stop();
  other.stop();
  await waitFor("the last one to leave", () => countOf("unsubscribe", "derby") === 1);
});

test("a listener that leaves and returns in the same tick keeps the subscription", async () => {
  listenTo("final").stop();
  const again = listenTo("final");
  await waitFor("a connection", () => again.received.connected > 0);
  await Bun.sleep(20);
  expect([countOf("subscribe", "final"), countOf("unsubscribe", "final")]).toEqual([1, 0]);
  again.stop();
});

test("a page without a network is offline; afterwards a surviving socket is asked for missed messages, and trusted with its answer", async () => {
  const page = listenTo("cup");
  await waitFor("a connection", () => countOf("message", "cup") === 1);
  globalThis.dispatchEvent(new Event("offline"));
  expect(readSync()).toBe("offline");
  globalThis.dispatchEvent(new Event("online"));
  expect(readSync()).toBe("offline");
  await waitFor("the answer", () => readSync() === "live");
  expect(countOf("message", "cup")).toBe(2);
  page.stop();
});
