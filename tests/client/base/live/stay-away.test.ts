import { beforeEach, describe, expect, jest, spyOn, test } from "bun:test";
import { adapters } from "@rails/actioncable/app/assets/javascripts/actioncable.esm.js";
import { listen } from "#client/base/live/cable.ts";
import { keepMeasuringServerTime } from "#client/base/live/clock.ts";
import { isDismissed, readSync, updateConnection } from "#client/base/live/connection.ts";
import { forgetOwnSignOut } from "#client/base/live/sign-in-visit.ts";
import { singleFlight } from "#client/base/live/single-flight.ts";
import { passMs, type PlayedSocket, playSockets } from "#tests/client/played-socket.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

// What the server says about staying away holds for everything that a page sends by itself, however long it stays open.

const AN_HOUR_MS = 3_600_000;
const PAGE = "http://localhost/profile/wallet?page=2";
let sockets: readonly PlayedSocket[] = [];
let pages = 0;
const stops: (() => void)[] = [];

const closeDom = openDom({ url: PAGE });
const realSocket = adapters.WebSocket;
const replaced = spyOn(globalThis.location, "replace").mockImplementation(() => {});
const random = spyOn(Math, "random").mockReturnValue(0.5);
afterFile(async () => {
  replaced.mockRestore();
  random.mockRestore();
  adapters.WebSocket = realSocket;
  updateConnection({ connected: true, dismissed: null, rejected: false });
  await closeDom();
});

beforeEach(() => {
  jest.useFakeTimers();
  sessionStorage.clear();
  replaced.mockClear();
});

afterTest(async () => {
  await closePage();
  jest.useRealTimers();
});

async function closePage(): Promise<void> {
  for (const stop of stops.splice(0)) stop();
  await passMs(10);
}

/** Opens the only page, on a server of its own. @param protocol that the server selects. */
async function openPage(protocol?: string) {
  await closePage();
  // Files before in the same process may have signed out.
  forgetOwnSignOut();
  sockets = playSockets(protocol);
  pages += 1;
  const page = follow("derby");
  await passMs(0);
  return page;
}

function follow(id: string) {
  const told = { connected: 0, missed: 0, rejected: 0 };
  const stop = listen(
    `ws://server-${pages}.test/cable`,
    { channel: "SessionsChannel", id, offset: null },
    {
      received: () => {},
      connected: () => void (told.connected += 1),
      missed: () => void (told.missed += 1),
      rejected: () => void (told.rejected += 1),
    },
  );
  stops.push(stop);
  return { told, stop };
}

const newest = () => {
  const socket = sockets.at(-1);
  if (socket === undefined) throw new Error("the page opened no socket");
  return socket;
};
const answer = (type: string, id = "derby") =>
  newest().receive({ type, identifier: JSON.stringify({ channel: "SessionsChannel", id }) });

function connect(): void {
  newest().receive({ type: "welcome" });
  answer("confirm_subscription");
  const identifier = JSON.stringify({ channel: "SessionsChannel", id: "derby" });
  newest().receive({ type: "", identifier, message: { caughtUp: { epoch: "e", offset: 0 } } });
}

async function disconnect(reason: string): Promise<void> {
  newest().receive({ type: "disconnect", reason, reconnect: false });
  newest().close();
  await passMs(0);
}

/** Everything that makes a page look for its server: time, its tab, its network, and another screen. */
async function provoke(): Promise<void> {
  await passMs(AN_HOUR_MS / 100);
  globalThis.dispatchEvent(new Event("visibilitychange"));
  document.dispatchEvent(new Event("visibilitychange"));
  await passMs(AN_HOUR_MS / 100);
  globalThis.dispatchEvent(new Event("offline"));
  globalThis.dispatchEvent(new Event("online"));
  follow("final");
  await passMs(AN_HOUR_MS);
}

describe("a page that is told to stay away opens no socket again", () => {
  test.each(["unauthorized", "invalid_request", "remote", "server_restart", "another reason"])(
    "after it was connected: %s",
    async (reason) => {
      await openPage();
      connect();
      await disconnect(reason);
      await provoke();
      expect([sockets.length, isDismissed()]).toEqual([1, true]);
    },
  );

  test("at first contact", async () => {
    await openPage();
    await disconnect("unauthorized");
    await provoke();
    expect([sockets.length, isDismissed()]).toEqual([1, true]);
  });

  test("when it reconnects", async () => {
    await openPage();
    connect();
    newest().receive({ type: "disconnect", reason: "remote", reconnect: true });
    newest().close();
    await passMs(1_600);
    expect(sockets.length).toBe(2);
    await disconnect("unauthorized");
    await provoke();
    expect([sockets.length, isDismissed()]).toEqual([2, true]);
  });

  test("by a server that supports no protocol of the page", async () => {
    await openPage("actioncable-unsupported");
    await passMs(0);
    expect(newest().closedMs).not.toBeNull();
    await provoke();
    expect([sockets.length, readSync()]).toEqual([1, "refused"]);
  });

  test("while the check of a page that became visible is under way", async () => {
    await openPage();
    connect();
    globalThis.dispatchEvent(new Event("visibilitychange"));
    await passMs(100);
    await disconnect("remote");
    await provoke();
    expect(sockets.length).toBe(1);
  });
});

test("a page that is told to stay away sends no request by itself", async () => {
  await openPage();
  connect();
  const fetched = spyOn(globalThis, "fetch").mockRejectedValue(new Error("away"));
  const stopMeasuring = keepMeasuringServerTime(() => {});
  let runs = 0;
  const request = singleFlight(new AbortController().signal, async () => {
    runs += 1;
    await fetch("/api/v1/users/me");
  });
  request();
  await passMs(100);
  await disconnect("remote");
  fetched.mockClear();
  await provoke();
  expect([fetched.mock.calls.length, runs]).toEqual([0, 1]);
  // What its user does is sent.
  request();
  await passMs(AN_HOUR_MS / 100);
  expect([fetched.mock.calls.length, runs]).toEqual([1, 2]);
  stopMeasuring();
  fetched.mockRestore();
});

describe("a page whose user has signed out", () => {
  test("leads to the sign-in page, with the way back", async () => {
    await openPage();
    connect();
    await disconnect("unauthorized");
    await provoke();
    expect(replaced.mock.calls).toEqual([
      ["/users/sign_in?return_to=%2Fprofile%2Fwallet%3Fpage%3D2&now=signed_out"],
    ]);
  });

  test("does so once: a page that comes back and is refused again says that it is not live", async () => {
    await openPage();
    await disconnect("unauthorized");
    expect([replaced.mock.calls.length, readSync()]).toEqual([1, "offline"]);
    await openPage();
    await disconnect("unauthorized");
    expect([replaced.mock.calls.length, readSync()]).toEqual([1, "refused"]);
    await openPage();
    connect();
    await disconnect("unauthorized");
    expect(replaced.mock.calls.length).toBe(2);
  });

  test("says that it is not live where the viewer does not let it go", async () => {
    await openPage();
    connect();
    await disconnect("unauthorized");
    await provoke();
    expect([replaced.mock.calls.length, readSync()]).toEqual([1, "refused"]);
  });

  test.each(["invalid_request", "remote"])("only then: %s leaves the page where it is", async (reason) => {
    await openPage();
    connect();
    await disconnect(reason);
    await provoke();
    expect([replaced.mock.calls.length, readSync()]).toEqual([0, "refused"]);
  });
});

describe("a subscription that the server rejects", () => {
  test("is told to its subscriber, and the page says that it is not live", async () => {
    const { told } = await openPage();
    newest().receive({ type: "welcome" });
    answer("reject_subscription");
    expect([told, readSync()]).toEqual([{ connected: 0, missed: 0, rejected: 1 }, "refused"]);
    await passMs(3_000);
    const subscribes = newest().commands.filter((command) => command.includes('"subscribe"'));
    expect(subscribes).toHaveLength(1);
  });

  test("is forgotten with its screen; another screen tries again", async () => {
    const { stop } = await openPage();
    newest().receive({ type: "welcome" });
    answer("reject_subscription");
    const again = follow("derby");
    stop();
    await passMs(10);
    connect();
    expect([again.told.connected, readSync()]).toEqual([1, "live"]);
  });
});
