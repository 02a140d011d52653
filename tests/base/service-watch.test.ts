import { expect, test } from "bun:test";
import { keepTrying, SlowService, watchService } from "#src/base/service-watch.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const SLOW_AFTER_MS = 50;

test("a server that answers late is told while it is waited for, and until it answers in time", async () => {
  const watch = watchService(SLOW_AFTER_MS);
  const answer = Promise.withResolvers<string>();
  const asked = watch.observe("get", () => answer.promise);
  await waitFor("the trouble", () => watch.trouble() !== null);
  expect(watch.trouble()).toBeInstanceOf(SlowService);
  expect(watch.trouble()?.message).toBe("It has not answered for 0.1 s.");
  answer.resolve("late");
  expect(await asked).toBe("late");
  expect(watch.trouble()?.message).toMatch(/^It has taken \d+\.\d s\.$/);
  await watch.observe("put", () => Promise.resolve());
  expect(watch.trouble()).toBeNull();
});

test("what fails is told until the same thing works, and an answer may say what is wrong", async () => {
  const watch = watchService();
  const refused = new Error("no rights to write");
  expect(watch.observe("put", () => Promise.reject(refused))).rejects.toBe(refused);
  await waitFor("the trouble", () => watch.trouble() === refused);
  await watch.observe("get", () => Promise.resolve());
  expect([watch.trouble(), watch.hasFailed("put"), watch.hasFailed("get")]).toEqual([refused, true, false]);
  const judge = (status: number) => (status < 500 ? null : new Error(`it answers ${status}`));
  expect(await watch.observe("put", () => Promise.resolve(503), { judge })).toBe(503);
  expect(watch.trouble()?.message).toBe("it answers 503");
  await watch.observe("put", () => Promise.resolve(200), { judge });
  expect(watch.trouble()).toBeNull();
});

test("what has failed is asked again, one question at a time, and nothing else meanwhile", async () => {
  const watch = watchService();
  const [answers, held] = [{ count: 0 }, Promise.withResolvers<void>()];
  const again = () => ((answers.count += 1), held.promise);
  const attempt = () => expect.unreachable();
  const trouble = keepTrying(watch, attempt, { well: Infinity, wrong: -1 });
  await watch.observe("get", () => Promise.reject(new Error("it is away")), { again }).catch(() => undefined);
  for (let looks = 0; looks < 3; looks += 1) expect(trouble()).not.toBeNull();
  expect(answers.count).toBe(1);
  held.resolve();
  await waitFor("the end of the trouble", () => trouble() === null);
});

test("what is wrong is tried again while somebody wants to know, and what works only as often as it says", async () => {
  const watch = watchService();
  let attempts = 0;
  const attempt = () => {
    attempts += 1;
    void watch.observe("try", () => Promise.resolve());
  };
  const trouble = keepTrying(watch, attempt, { well: Infinity, wrong: 0 });
  expect([trouble(), trouble(), attempts]).toEqual([null, null, 0]);
  const refused = new Error("it is away");
  await watch.observe("try", () => Promise.reject(refused)).catch(() => undefined);
  expect(trouble()).toBe(refused);
  await waitFor("the end of the trouble", () => trouble() === null);
  expect(attempts).toBeGreaterThan(0);
});
