import { describe, expect, jest, test } from "bun:test";
import { readSync } from "#client/base/live/connection.ts";
import { singleFlight } from "#client/base/live/single-flight.ts";
import { answerSockets, passMs } from "#tests/client/played-socket.ts";
import { NetworkPage } from "./network-page.ts";

const page = new NetworkPage();

describe("a page that was asleep", () => {
  const SLEEP_MS = 600_000;

  /** Time passes, and none of the page's timers runs. */
  function sleep(): void {
    jest.setSystemTime(Date.now() + SLEEP_MS);
    document.dispatchEvent(new Event("visibilitychange"));
  }

  test("is catching up at once, and in sync when its socket has told it everything", async () => {
    await page.open();
    page.confirm();
    const before = page.requestsOf();
    sleep();
    expect([readSync(), page.requestsOf() - before]).toEqual(["catching-up", 1]);
    page.ping();
    expect(readSync()).toBe("catching-up");
    page.tellAll();
    expect(readSync()).toBe("live");
  });

  test("is never in sync on a dead socket, and is on the next one", async () => {
    await page.open();
    page.confirm();
    answerSockets(false);
    sleep();
    expect(readSync()).toBe("catching-up");
    for (let tenths = 0; tenths < 100; tenths += 1) {
      await passMs(100);
      expect(readSync()).not.toBe("live");
    }
    answerSockets(true);
    await passMs(9_600);
    page.confirm();
    await passMs(100);
    expect(readSync()).toBe("live");
  });

  test("asks nothing where it has just heard of the server", async () => {
    await page.open();
    page.confirm();
    const before = page.requestsOf();
    document.dispatchEvent(new Event("visibilitychange"));
    expect([readSync(), page.requestsOf() - before]).toEqual(["live", 0]);
  });
});

test("a page that has missed more than the history has is catching up until its data is loaded", async () => {
  const { promise: loaded, resolve: finish } = Promise.withResolvers<void>();
  const missed = singleFlight(new AbortController().signal, () => loaded);
  await page.open({ missed });
  page.confirm();
  page.newest.reset();
  await passMs(2_000);
  page.subscribe();
  page.tell({ gap: true, epoch: "f", offset: 7 });
  for (let seconds = 0; seconds < 3; seconds += 1) {
    await passMs(1_000);
    page.ping();
    expect(readSync()).toBe("catching-up");
  }
  finish();
  await passMs(10);
  expect(readSync()).toBe("live");
});
