import { expect, test } from "bun:test";
import { createSemaphore } from "#src/base/semaphore.ts";

test("at most two run at the same time, the others follow in their order", async () => {
  const inSlot = createSemaphore(2);
  const owner = {};
  const started: number[] = [];
  let running = 0;
  const work = (number: number) => async () => {
    started.push(number);
    running += 1;
    expect(running).toBeLessThanOrEqual(2);
    await Bun.sleep(1);
    running -= 1;
    return number;
  };
  const answers = await Promise.all([1, 2, 3, 4, 5].map((number) => inSlot(owner, work(number))));
  expect(answers).toEqual([1, 2, 3, 4, 5]);
  expect(started).toEqual([1, 2, 3, 4, 5]);
});

test("work that fails frees its slot; owners do not wait for each other", async () => {
  const inSlot = createSemaphore(1);
  const owner = {};
  const failing = inSlot(owner, () => Promise.reject(new Error("no")));
  const next = inSlot(owner, () => Promise.resolve("next"));
  expect(await failing.catch((error: unknown) => String(error))).toBe("Error: no");
  expect(await next).toBe("next");
  expect(await inSlot({}, () => inSlot(owner, () => Promise.resolve("another owner")))).toBe("another owner");
});
