import { expect, test } from "bun:test";
import { singleFlight } from "#client/single-flight.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const never = new AbortController().signal;

test("what is asked for while it runs is done once more, however often it was asked", async () => {
  let runs = 0;
  const ask = singleFlight(never, async () => {
    runs += 1;
    await Bun.sleep(10);
  });
  ask();
  ask();
  ask();
  await waitFor("the runs", () => runs === 2);
  await Bun.sleep(30);
  expect(runs).toBe(2);
});

test("what fails is tried until it succeeds, then rests", async () => {
  let runs = 0;
  const ask = singleFlight(
    never,
    async () => {
      runs += 1;
      if (runs < 3) throw new Error("away");
    },
    5,
  );
  ask();
  await waitFor("the runs", () => runs === 3);
  await Bun.sleep(30);
  expect(runs).toBe(3);
  ask();
  await waitFor("the runs", () => runs === 4);
});

test("nothing is tried once nobody is there any more", async () => {
  const gone = new AbortController();
  let runs = 0;
  const ask = singleFlight(
    gone.signal,
    async () => {
      runs += 1;
      if (runs === 2) gone.abort();
      throw new Error("away");
    },
    5,
  );
  ask();
  await waitFor("the runs", () => runs === 2);
  await Bun.sleep(40);
  ask();
  await Bun.sleep(10);
  expect(runs).toBe(2);
});
