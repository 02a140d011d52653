import { expect, test } from "bun:test";
import { singleFlight } from "#client/base/live/single-flight.ts";
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

test("requests of one moment are one", async () => {
  let runs = 0;
  const request = singleFlight(never, async () => {
    runs += 1;
  });
  request();
  request();
  await waitFor("the run", () => runs === 1);
  await Bun.sleep(10);
  expect(runs).toBe(1);
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
