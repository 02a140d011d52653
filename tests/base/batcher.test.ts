import { expect, test } from "bun:test";
import { createBatcher } from "#src/base/batcher.ts";

const SIZE_MAX = 4;

/** A line whose batches are kept, and are at work until each is let go; numbers below 0 fail the whole batch. */
function openLine() {
  const batches: (readonly number[])[] = [];
  const holds: (() => void)[] = [];
  const gather = createBatcher(SIZE_MAX, async (_owner: object, numbers: readonly number[]) => {
    batches.push(numbers);
    await new Promise<void>((resolve) => holds.push(resolve));
    if (numbers.some((number) => number < 0)) throw new Error("below 0");
    return numbers.map((number) => number * 10);
  });
  const letAllGo = async () => {
    for (let idle = 0; idle < 3; idle += 1) {
      await Bun.sleep(0);
      for (const letGo of holds.splice(0)) {
        letGo();
        idle = -1;
      }
    }
  };
  return { gather, batches, letAllGo };
}

test("a lone item goes at once; what comes meanwhile goes together, and each gets its own answer", async () => {
  const { gather, batches, letAllGo } = openLine();
  const owner = {};
  const answers = [1, 2, 3].map((number) => gather(owner, number));
  expect(batches).toEqual([[1]]);
  await letAllGo();
  expect(await Promise.all(answers)).toEqual([10, 20, 30]);
  expect(batches).toEqual([[1], [2, 3]]);
});

test("a batch has its limit, and the rest goes next", async () => {
  const { gather, batches, letAllGo } = openLine();
  const owner = {};
  const answers = [1, 2, 3, 4, 5, 6, 7].map((number) => gather(owner, number));
  await letAllGo();
  await Promise.all(answers);
  expect(batches).toEqual([[1], [2, 3, 4, 5], [6, 7]]);
});

test("one that fails its batch fails alone, and the line goes on", async () => {
  const { gather, letAllGo } = openLine();
  const owner = {};
  const answers = Promise.allSettled([1, 2, -3, 4, 5].map((number) => gather(owner, number)));
  await letAllGo();
  expect((await answers).map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  const later = gather(owner, 6);
  await letAllGo();
  expect(await later).toBe(60);
});

test("owners do not wait for each other", () => {
  const { gather, batches } = openLine();
  void gather({}, 1);
  void gather({}, 2);
  expect(batches).toEqual([[1], [2]]);
});

test("where there is no room left the next is refused at once, and those who wait are served", async () => {
  const { gather, batches, letAllGo } = openLine();
  const owner = {};
  const room = { waitingMax: 2, whenFull: () => new Error("full") };
  const answers = [1, 2, 3].map((number) => gather(owner, number, room));
  expect(await gather(owner, 4, room).catch(String)).toBe("Error: full");
  await letAllGo();
  expect(await Promise.all(answers)).toEqual([10, 20, 30]);
  expect(batches).toEqual([[1], [2, 3]]);
  const later = gather(owner, 5, room);
  await letAllGo();
  expect(await later).toBe(50);
});

test("while the database is away all of a batch hear of it at once", async () => {
  const away = Object.assign(new Error("closed"), { code: "ERR_POSTGRES_CONNECTION_CLOSED" });
  let tries = 0;
  const gather = createBatcher(SIZE_MAX, async (_owner: object, numbers: readonly number[]) => {
    tries += 1;
    await Bun.sleep(0);
    if (numbers.includes(1)) return numbers;
    throw away;
  });
  const owner = {};
  const answers = await Promise.allSettled([1, 2, 3, 4].map((number) => gather(owner, number)));
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
  expect(tries).toBe(2);
});
