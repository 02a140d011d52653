import { expect, test } from "bun:test";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import { passMs } from "#tests/client/played-socket.ts";
import { NetworkPage } from "./network-page.ts";

// What a page does after it has missed messages.

const page = new NetworkPage();
const streams = {
  session: { channel: "SessionsChannel", id: "looked-at" },
  user: { channel: "UserChannel", id: "gid" },
} as const;
type Stream = keyof typeof streams;
const all = ["session", "user"] as const;

/** Opens a page that follows both streams, and counts what it hears. */
async function openPage() {
  const heard: string[] = [];
  const following = (stream: Stream) => ({
    channel: streams[stream],
    offset: { epoch: `${stream}-one`, offset: 7 },
    missed: () => void heard.push(`${stream} missed`),
    connected: () => void heard.push(`${stream} connected`),
  });
  await page.open(following("session"));
  page.follow(following("user"));
  confirm();
  heard.length = 0;
  return heard;
}

const confirm = () => page.subscribe(...Object.values(streams));
const send = (stream: Stream, message: object) => page.tell(message, streams[stream]);
const gap = (stream: Stream, after: StreamOffset) => send(stream, { gap: true, ...after });

test("a new epoch of one stream makes the page look once for both, 0 to 2 seconds later", async () => {
  const heard = await openPage();
  for (const stream of all) send(stream, { caughtUp: { epoch: `${stream}-one`, offset: 7 } });
  const before = page.requestsOf(streams.user);
  send("session", { epoch: "session-two", offset: 1, sourceType: "Session" });
  gap("session", { epoch: "session-two", offset: 1 });
  // The other stream is asked, and its gap belongs to the same look.
  expect(page.requestsOf(streams.user)).toBe(before + 1);
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
  page.newest.close();
  await passMs(1_100);
  expect(page.sockets).toHaveLength(2);
  confirm();
  await passMs(1_000);
  expect(heard).toEqual([]);
  await passMs(100);
  expect(heard).toEqual(["session connected", "user connected"]);
  heard.length = 0;
  page.newest.close();
  await passMs(10);
  globalThis.dispatchEvent(new Event("online"));
  await passMs(10);
  expect(page.sockets).toHaveLength(3);
  confirm();
  await passMs(60);
  expect(heard).toEqual(["session connected", "user connected"]);
});
