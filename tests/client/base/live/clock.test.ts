import { expect, spyOn, test } from "bun:test";
import { estimateServerTime, measureServerTime, roundTripMs, serverNow } from "#client/base/live/clock.ts";
import { afterFile } from "#tests/support/after-file.ts";

const HOUR_MS = 3_600_000;
const behind = (ms: number) => new Date(Date.now() - ms).toISOString();

/** Time passes only as a test says: on a busy machine a round trip may take longer than it should. */
let passedMs = 0;
/** By how much somebody has set the page's own clock. */
let setMs = 0;
const [startedAt, startedMs] = [Date.now(), performance.now()];
const clocks = [
  spyOn(Date, "now").mockImplementation(() => startedAt + passedMs + setMs),
  spyOn(performance, "now").mockImplementation(() => startedMs + passedMs),
];
afterFile(() => {
  for (const clock of clocks) clock.mockRestore();
});

test("the first estimate is the page's time", () => {
  estimateServerTime(behind(HOUR_MS));
  expect(serverNow()).toBe(Date.now() - HOUR_MS);
});

/** Answers after the given round trips, with a time two hours behind. @returns how many there were. */
async function measureOver(delaysMs: readonly number[]): Promise<number> {
  let trips = 0;
  await measureServerTime(async () => {
    const half = (delaysMs[trips] ?? 0) / 2;
    trips += 1;
    passedMs += half;
    const serverTime = behind(2 * HOUR_MS);
    passedMs += half;
    return serverTime;
  }, 0);
  return trips;
}

test("over a slow connection the fastest of five round trips counts, with the server's time of its middle; one good round trip is enough", async () => {
  expect(await measureOver([190, 120, 220, 160, 190])).toBe(5);
  expect(roundTripMs()).toBeCloseTo(120);
  expect(serverNow()).toBe(Date.now() - 2 * HOUR_MS);
  expect(await measureOver([250, 20])).toBe(2);
  expect(await measureOver([20])).toBe(1);
  expect(roundTripMs()).toBeCloseTo(20);
  expect(serverNow()).toBe(Date.now() - 2 * HOUR_MS);
});

test("a measurement is not undone by a page's guess, and two at a time are one", async () => {
  estimateServerTime(behind(0));
  expect(Date.now() - serverNow()).toBeGreaterThan(HOUR_MS);
  let trips = 0;
  const ask = async () => {
    trips += 1;
    await Bun.sleep(1);
    return behind(0);
  };
  await Promise.all([measureServerTime(ask), measureServerTime(ask)]);
  expect(trips).toBe(1);
});

test.each([HOUR_MS, -HOUR_MS])(
  "the page's clock is set by %d ms while it is measured: the time goes on, and what was measured before does not count",
  async (jumpMs) => {
    const hereMs = () => startedAt + passedMs;
    let trips = 0;
    await measureServerTime(async () => {
      trips += 1;
      passedMs += trips === 1 ? 75 : 100;
      if (trips === 2) setMs += jumpMs;
      const serverTime = new Date(hereMs()).toISOString();
      passedMs += trips === 1 ? 75 : 100;
      return serverTime;
    }, 0);
    expect([trips, Math.round(roundTripMs() ?? 0)]).toEqual([5, 200]);
    expect(Math.abs(serverNow() - hereMs())).toBeLessThan(5);
  },
);
