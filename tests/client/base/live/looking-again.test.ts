import { beforeEach, expect, jest, spyOn, test } from "bun:test";
import { adapters } from "@rails/actioncable/app/assets/javascripts/actioncable.esm.js";
import { listen } from "#client/base/live/cable.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import { passMs, playSockets, type PlayedSocket } from "#tests/client/played-socket.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

// What a page does after it has missed messages, on a clock that only this test moves.

let sockets: readonly PlayedSocket[] = [];
let pages = 0;
let chance = 0.5;
let stops: (() => void)[] = [];

const closeDom = openDom();
const realSocket = adapters.WebSocket;
const random = spyOn(Math, "random").mockImplementation(() => chance);
afterFile(async () => {
  random.mockRestore();
  adapters.WebSocket = realSocket;
  await closeDom();
});

beforeEach(() => {
  jest.useFakeTimers();
  sockets = playSockets();
  pages += 1;
  chance = 0.5;
});
afterTest(async () => {
  for (const stop of stops.splice(0)) stop();
  await passMs(10);
  jest.useRealTimers();
});

const params = {
  // No other file in this process follows a session with this id.
  session: { channel: "SessionsChannel", id: "looked-at" },
  user: { channel: "UserChannel", id: "gid" },
} as const;
type Stream = keyof typeof params;

/** Opens a page that follows both streams, and counts what it hears. */
async function openPage() {
  const heard: string[] = [];
  for (const stream of ["session", "user"] as const) {
    const offset = { epoch: `${stream}-one`, offset: 7 };
    const listener = {
      received: () => {},
      missed: () => void heard.push(`${stream} missed`),
      connected: () => void heard.push(`${stream} connected`),
    };
    stops.push(listen(`ws://looking-${pages}.test/cable`, { ...params[stream], offset }, listener));
  }
  await passMs(0);
  confirm();
  heard.length = 0;
  return heard;
}

const newest = () => {
  const socket = sockets.at(-1);
  if (socket === undefined) throw new Error("the page opened no socket");
  return socket;
};
const identifierOf = (stream: Stream) => JSON.stringify(params[stream]);
function confirm(): void {
  newest().receive({ type: "welcome" });
  for (const stream of ["session", "user"] as const)
    newest().receive({ type: "confirm_subscription", identifier: identifierOf(stream) });
}
const send = (stream: Stream, message: object) =>
  newest().receive({ type: "message", identifier: identifierOf(stream), message });
const gap = (stream: Stream, after: StreamOffset) => send(stream, { gap: true, ...after });
const requests = (stream: Stream) =>
  newest().commands.filter(
    (command) => command.includes("since") && command.includes(JSON.stringify(identifierOf(stream))),
  ).length;

test("a new epoch of one stream makes the page look once for both, 0 to 2 seconds later", async () => {
  const heard = await openPage();
  for (const stream of ["session", "user"] as const)
    send(stream, { caughtUp: { epoch: `${stream}-one`, offset: 7 } });
  const before = requests("user");
  send("session", { epoch: "session-two", offset: 1, sourceType: "Session" });
  gap("session", { epoch: "session-two", offset: 1 });
  // The other stream is asked, and its gap belongs to the same look.
  expect(requests("user")).toBe(before + 1);
  gap("user", { epoch: "user-two", offset: 0 });
  await passMs(1_000);
  expect(heard).toEqual([]);
  await passMs(100);
  expect(heard.toSorted()).toEqual(["session missed", "user missed"]);
  await passMs(5_000);
  expect(heard).toHaveLength(2);
});

test("what one page alone has missed is looked for at once", async () => {
  const heard = await openPage();
  gap("session", { epoch: "session-one", offset: 9_000 });
  gap("user", { epoch: "user-one", offset: 80 });
  await passMs(60);
  expect(heard).toEqual(["session missed", "user missed"]);
});

test("a page whose socket is closed looks 0 to 2 seconds after its return, and one that was away at once", async () => {
  const heard = await openPage();
  newest().close();
  await passMs(1_100);
  expect(sockets).toHaveLength(2);
  confirm();
  await passMs(1_000);
  expect(heard).toEqual([]);
  await passMs(100);
  expect(heard).toEqual(["session connected", "user connected"]);
  heard.length = 0;
  newest().close();
  await passMs(10);
  globalThis.dispatchEvent(new Event("online"));
  await passMs(10);
  expect(sockets).toHaveLength(3);
  confirm();
  await passMs(60);
  expect(heard).toEqual(["session connected", "user connected"]);
});
