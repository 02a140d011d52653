import { beforeEach, expect, spyOn, test } from "bun:test";
import { keepMeasuringServerTime } from "#client/base/live/clock.ts";
import { isDismissed, readSync } from "#client/base/live/connection.ts";
import { forgetOwnSignOut } from "#client/base/live/sign-in-visit.ts";
import { singleFlight } from "#client/base/live/single-flight.ts";
import { passMs } from "#tests/client/played-socket.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { NetworkPage } from "./network-page.ts";

// What the server says about staying away holds for everything that a page sends by itself, however long it stays open.

const AN_HOUR_MS = 3_600_000;
const page = new NetworkPage("http://localhost/profile/wallet?page=2");
const replaced = spyOn(globalThis.location, "replace").mockImplementation(() => {});
afterFile(() => replaced.mockRestore());

beforeEach(() => {
  sessionStorage.clear();
  replaced.mockClear();
  // Files before in the same process may have signed out.
  forgetOwnSignOut();
});

async function disconnect(reason: string): Promise<void> {
  page.newest.receive({ type: "disconnect", reason, reconnect: false });
  page.newest.close();
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
  page.follow({ channel: { channel: "SessionsChannel", id: "final" } });
  await passMs(AN_HOUR_MS);
}

test.each(["remote", "another reason"])(
  "a page that is told to stay away opens no socket again after it was connected: %s",
  async (reason) => {
    await page.open();
    page.confirm();
    await disconnect(reason);
    await provoke();
    expect([page.sockets.length, isDismissed(), replaced.mock.calls.length]).toEqual([1, true, 0]);
  },
);

test("a page that is told to stay away when it reconnects opens no socket again", async () => {
  await page.open();
  page.confirm();
  page.newest.receive({ type: "disconnect", reason: "remote", reconnect: true });
  page.newest.close();
  await passMs(1_600);
  expect(page.sockets.length).toBe(2);
  await disconnect("unauthorized");
  await provoke();
  expect([page.sockets.length, isDismissed()]).toEqual([2, true]);
});

test("a page whose server supports no protocol of it opens no socket again", async () => {
  await page.open({ protocol: "actioncable-unsupported" });
  await passMs(0);
  expect(page.newest.closedMs).not.toBeNull();
  await provoke();
  expect([page.sockets.length, readSync()]).toEqual([1, "refused"]);
});

test("a page that is told to stay away sends no request by itself", async () => {
  await page.open();
  page.confirm();
  page.answerRequests(false);
  const stopMeasuring = keepMeasuringServerTime(() => {});
  let runs = 0;
  const request = singleFlight(new AbortController().signal, async () => {
    runs += 1;
    await fetch("/api/v1/users/me");
  });
  request();
  await passMs(100);
  await disconnect("remote");
  const before = page.requests;
  await provoke();
  expect([page.requests - before, runs]).toEqual([0, 1]);
  // What its user does is sent.
  request();
  await passMs(AN_HOUR_MS / 100);
  expect([page.requests - before, runs]).toEqual([1, 2]);
  stopMeasuring();
});

test("a page whose user has signed out leads to the sign-in page, with the way back", async () => {
  await page.open();
  page.confirm();
  await disconnect("unauthorized");
  await provoke();
  expect(replaced.mock.calls).toEqual([
    ["/users/sign_in?return_to=%2Fprofile%2Fwallet%3Fpage%3D2&now=signed_out"],
  ]);
});

test("a page whose user has signed out does so once: a page that comes back and is refused again says that it is not live", async () => {
  await page.open();
  await disconnect("unauthorized");
  expect([replaced.mock.calls.length, readSync()]).toEqual([1, "offline"]);
  await page.open();
  await disconnect("unauthorized");
  expect([replaced.mock.calls.length, readSync()]).toEqual([1, "refused"]);
  await page.open();
  page.confirm();
  await disconnect("unauthorized");
  expect(replaced.mock.calls.length).toBe(2);
});

test("a subscription that the server rejects is told to its subscriber, and the page says that it is not live", async () => {
  const { told } = await page.open();
  page.reject();
  expect([told, readSync()]).toEqual([{ connected: 0, missed: 0, rejected: 1 }, "refused"]);
  await passMs(3_000);
  expect(page.subscribes).toBe(1);
});

test("a subscription that the server rejects is forgotten with its screen; another screen tries again", async () => {
  const { stop } = await page.open();
  page.reject();
  const again = page.follow();
  stop();
  await passMs(10);
  page.confirm();
  expect([again.told.connected, readSync()]).toEqual([1, "live"]);
});
