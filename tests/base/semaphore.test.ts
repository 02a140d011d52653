import { expect, test } from "bun:test";
import { createSemaphore } from "#src/base/semaphore.ts";

test("so many are at work side by side, the others follow in their order", async () => {
  const inTurn = createSemaphore(2);
  const owner = {};
  const begun: number[] = [];
  let inside = 0;
  const work = (number: number) => async () => {
    begun.push(number);
    inside += 1;
    expect(inside).toBeLessThanOrEqual(2);
    await Bun.sleep(1);
    inside -= 1;
    return number;
  };
  const answers = await Promise.all([1, 2, 3, 4, 5].map((number) => inTurn(owner, work(number))));
  expect(answers).toEqual([1, 2, 3, 4, 5]);
  expect(begun).toEqual([1, 2, 3, 4, 5]);
});

test("work that fails passes its turn on", async () => {
  const inTurn = createSemaphore(1);
  const owner = {};
  const failing = inTurn(owner, () => Promise.reject(new Error("no")));
  const next = inTurn(owner, () => Promise.resolve("next"));
  expect(await failing.catch((error: unknown) => String(error))).toBe("Error: no");
  expect(await next).toBe("next");
  expect(await inTurn({}, () => inTurn(owner, () => Promise.resolve("another line")))).toBe("another line");
});
