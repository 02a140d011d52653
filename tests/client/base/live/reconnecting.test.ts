import { beforeEach, describe, expect, test } from "bun:test";
import { passMs } from "#tests/client/played-socket.ts";
import { NetworkPage } from "./network-page.ts";

// The page's connection as the specification times it: 6 s without a message, a backoff rate of 0.15 with an exponent of at most 10,
// jitter, and the delays of 200 ms and 500 ms.

const page = new NetworkPage();
beforeEach(() => page.open());

const passUntil = (atMs: number) => passMs(atMs - (Date.now() - page.openedMs));

describe("a connection without messages", () => {
  test("is kept for 6 seconds", async () => {
    page.subscribe();
    await passUntil(3_050);
    page.ping();
    await passUntil(9_040);
    expect(page.closedAtMs).toEqual([]);
  });

  test("is closed when the check finds it silent for more than 6 seconds", async () => {
    page.subscribe();
    await passUntil(2_950);
    page.ping();
    await passUntil(8_990);
    expect(page.closedAtMs).toEqual([]);
    await passUntil(9_010);
    expect(page.closedAtMs).toEqual([9_000]);
  });

  test("is opened again 500 ms after it was closed", async () => {
    page.chance = 0.1;
    await page.open();
    page.subscribe();
    await passUntil(7_500);
    page.chance = 0.5;
    expect(page.closedAtMs).toEqual([6_600]);
    expect(page.sockets.map(({ createdMs }) => createdMs - page.openedMs)).toEqual([0, 7_100]);
  });
});

test.each([0.5, 0.9])(
  "checks grow apart by a rate of 0.15, at most ten times, with a jitter of up to 1 and then 0.15 (chance %p)",
  async (drawn) => {
    page.chance = drawn;
    await page.open();
    const expectedMs: number[] = [6_000 * (1 + 1 * drawn)];
    for (let attempt = 1; attempt <= 12; attempt += 1) {
      const waitMs = 6_000 * 1.15 ** Math.min(attempt, 10) * (1 + 0.15 * drawn);
      expectedMs.push((expectedMs.at(-1) ?? 0) + waitMs);
    }
    await passUntil((expectedMs.at(-1) ?? 0) + 50);
    page.chance = 0.5;
    const actualMs = page.closedAtMs;
    expect(actualMs).toHaveLength(expectedMs.length);
    // Timers count whole milliseconds.
    for (const [index, atMs] of actualMs.entries()) {
      expect(Math.abs(atMs - (expectedMs[index] ?? 0))).toBeLessThan(30);
    }
  },
);

describe("a page that becomes visible", () => {
  const becomeVisible = () => globalThis.dispatchEvent(new Event("visibilitychange"));

  test("checks its connection after 200 ms", async () => {
    page.subscribe();
    await passUntil(7_000);
    becomeVisible();
    await passUntil(7_190);
    expect(page.closedAtMs).toEqual([]);
    await passUntil(7_210);
    expect(page.closedAtMs).toEqual([7_200]);
  });

  test("keeps a connection that has messages", async () => {
    page.subscribe();
    await passUntil(5_000);
    becomeVisible();
    await passUntil(5_500);
    expect(page.closedAtMs).toEqual([]);
  });
});

test("a pending subscription is sent again every 500 ms until it is confirmed", async () => {
  page.newest.receive({ type: "welcome" });
  const counts = [page.subscribes];
  for (const atMs of [490, 510, 990, 1_010, 1_510]) {
    await passUntil(atMs);
    counts.push(page.subscribes);
  }
  expect(counts).toEqual([1, 1, 2, 2, 3, 4]);
  page.answer("confirm_subscription");
  await passUntil(4_000);
  expect(page.subscribes).toBe(4);
});
