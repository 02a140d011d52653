import { beforeEach, expect, test } from "bun:test";
import { updateConnection } from "#client/base/live/connection.ts";
import { beforeLateCode, fetchLate } from "#client/base/live/late-code.ts";
import { singleFlight } from "#client/base/live/single-flight.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const never = new AbortController().signal;

test("requests during a run lead to one more run, however many they are", async () => {
  let runs = 0;
  const request = singleFlight(never, async () => {
    runs += 1;
    await Bun.sleep(10);
  });
  request();
  await waitFor("the first run", () => runs === 1);
  request();
  request();
  await waitFor("the runs", () => runs === 2);
  await Bun.sleep(30);
  expect(runs).toBe(2);
});

test("a failing run is retried until it succeeds", async () => {
  let runs = 0;
  const request = singleFlight(
    never,
    async () => {
      runs += 1;
      if (runs < 3) throw new Error("away");
    },
    5,
  );
  request();
  await waitFor("the runs", () => runs === 3);
  await Bun.sleep(30);
  expect(runs).toBe(3);
  request();
  await waitFor("the runs", () => runs === 4);
});

test("no run starts after the abort", async () => {
  const unmounted = new AbortController();
  let runs = 0;
  const request = singleFlight(
    unmounted.signal,
    async () => {
      runs += 1;
      if (runs === 2) unmounted.abort();
      throw new Error("away");
    },
    5,
  );
  request();
  await waitFor("the runs", () => runs === 2);
  await Bun.sleep(40);
  request();
  await Bun.sleep(10);
  expect(runs).toBe(2);
});

// Files before in the same process may have lost their connection.
const calm = () => updateConnection({ connected: true, silent: false, behind: false, dismissed: null });
beforeEach(calm);
afterTest(calm);

/** Code that arrives when it is told to. */
function parts() {
  const asked: string[] = [];
  const arrivals: (() => void)[] = [];
  const ask = (name: string) => {
    asked.push(name);
    return new Promise<string>((resolve) => arrivals.push(() => resolve(name)));
  };
  return { asked, arrive: () => arrivals.shift()?.(), ask };
}

/** All that is due in this moment has been done. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

test("late code is fetched one after another, also after one that failed", async () => {
  const { asked, arrive, ask } = parts();
  const first = fetchLate(() => ask("first"));
  const lost = fetchLate(() => Promise.reject(new TypeError("lost")));
  const last = fetchLate(() => ask("last"));
  await settled();
  expect(asked).toEqual(["first"]);
  arrive();
  expect(await first).toBe("first");
  expect(await lost.catch((error: Error) => error.message)).toBe("lost");
  await waitFor("the last", () => asked.length === 2);
  arrive();
  expect(await last).toBe("last");
});

test("none is asked for while a call is on its way, or the page is offline", async () => {
  const { asked, arrive, ask } = parts();
  const { promise: answer, resolve: respond } = Promise.withResolvers<void>();
  const call = beforeLateCode(() => answer);
  const part = fetchLate(() => ask("part"));
  await settled();
  expect(asked).toEqual([]);
  updateConnection({ connected: false });
  respond();
  await call;
  await settled();
  expect(asked).toEqual([]);
  updateConnection({ connected: true });
  await waitFor("the part", () => asked.length === 1);
  arrive();
  expect(await part).toBe("part");
});
