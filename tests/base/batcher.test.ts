import { expect, test } from "bun:test";
import { batchReads, createBatcher } from "#src/base/batcher.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const SIZE_MAX = 4;

/** A batcher that records its batches. Each batch runs until it is released; a number below 0 fails its batch. */
function openBatcher() {
  const batches: (readonly number[])[] = [];
  const holds: (() => void)[] = [];
  const call = createBatcher(SIZE_MAX, async (_owner: object, numbers: readonly number[]) => {
    batches.push(numbers);
    await new Promise<void>((resolve) => holds.push(resolve));
    if (numbers.some((number) => number < 0)) throw new Error("below 0");
    return numbers.map((number) => number * 10);
  });
  const releaseAll = async () => {
    for (let idle = 0; idle < 3; idle += 1) {
      await Bun.sleep(0);
      for (const release of holds.splice(0)) {
        release();
        idle = -1;
      }
    }
  };
  return { call, batches, releaseAll };
}

test("a lone item runs at once; items that arrive meanwhile form one batch, each with its own answer", async () => {
  const { call, batches, releaseAll } = openBatcher();
  const owner = {};
  const answers = [1, 2, 3].map((number) => call(owner, number));
  expect(batches).toEqual([[1]]);
  await releaseAll();
  expect(await Promise.all(answers)).toEqual([10, 20, 30]);
  expect(batches).toEqual([[1], [2, 3]]);
});

test("an item that fails its batch fails alone, and the queue goes on", async () => {
  const { call, releaseAll } = openBatcher();
  const owner = {};
  const answers = Promise.allSettled([1, 2, -3, 4, 5].map((number) => call(owner, number)));
  await releaseAll();
  expect((await answers).map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  const later = call(owner, 6);
  await releaseAll();
  expect(await later).toBe(60);
});

test("when the queue is full the next item is refused at once, and the waiting ones are served", async () => {
  const { call, batches, releaseAll } = openBatcher();
  const owner = {};
  const capacity = { waitingMax: 2, whenFull: () => new Error("full") };
  const answers = [1, 2, 3].map((number) => call(owner, number, capacity));
  expect(await call(owner, 4, capacity).catch(String)).toBe("Error: full");
  await releaseAll();
  expect(await Promise.all(answers)).toEqual([10, 20, 30]);
  expect(batches).toEqual([[1], [2, 3]]);
  const later = call(owner, 5, capacity);
  await releaseAll();
  expect(await later).toBe(50);
});

test("while the database is away the whole batch fails at once", async () => {
  const away = Object.assign(new Error("closed"), { code: "ERR_POSTGRES_CONNECTION_CLOSED" });
  let tries = 0;
  const call = createBatcher(SIZE_MAX, async (_owner: object, numbers: readonly number[]) => {
    tries += 1;
    await Bun.sleep(0);
    if (numbers.includes(1)) return numbers;
    throw away;
  });
  const owner = {};
  const answers = await Promise.allSettled([1, 2, 3, 4].map((number) => call(owner, number)));
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
  expect(tries).toBe(2);
});

test("a batcher that collects starts with all that arrives in one turn of the event loop", async () => {
  const { batches, work, release } = heldWork();
  const call = createBatcher(SIZE_MAX, work, { collects: true });
  const owner = {};
  const answers = [call(owner, 1), call(owner, 2)];
  expect(batches).toEqual([]);
  await new Promise(setImmediate);
  answers.push(call(owner, 3), call(owner, 4));
  await new Promise(setImmediate);
  expect(batches).toEqual([[1, 2]]);
  release();
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4]);
  expect(batches).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test("a slow batch does not hold up the next one, and at most three run at the same moment", async () => {
  const { batches, work, release } = heldWork();
  const call = createBatcher(SIZE_MAX, work, { slowMs: 1 });
  const owner = {};
  const answers = [1, 2, 3, 4, 5].map((number) => call(owner, number));
  await waitFor("the slow batch to be passed by", () => batches.length === 2);
  answers.push(call(owner, 6));
  await waitFor("a third batch", () => batches.length === 3);
  answers.push(call(owner, 7), call(owner, 8));
  await Bun.sleep(20);
  expect(batches).toEqual([[1], [2, 3, 4, 5], [6]]);
  release();
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(batches.at(-1)).toEqual([7, 8]);
});

/** Work that ends when it is released. */
function heldWork() {
  const batches: number[][] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const work = async (_owner: object, numbers: readonly number[]) => {
    batches.push([...numbers]);
    await released;
    return numbers;
  };
  return { batches, work, release };
}

test("where answers are delivered one a turn, the next batch starts beside the last of them, and each item has its own", async () => {
  const seen: string[] = [];
  let held = Promise.withResolvers<void>();
  const call = createBatcher(
    SIZE_MAX,
    async (_owner: object, numbers: readonly number[]) => {
      seen.push(`starts ${numbers.join(" ")}`);
      await held.promise;
      return numbers.map((number) => number * 10);
    },
    { answersPerTurn: 1, overlap: 1 },
  );
  const owner = {};
  const ask = async (number: number) => {
    const answer = await call(owner, number);
    seen.push(`answers ${answer}`);
  };
  const asked = [1, 2, 3].map(ask);
  const { resolve } = held;
  held = Promise.withResolvers();
  resolve();
  await waitFor("the batch of the others", () => seen.includes("starts 2 3"));
  const late = ask(4);
  held.resolve();
  await Promise.all([...asked, late]);
  const first = ["starts 1", "starts 2 3", "answers 10"];
  expect(seen).toEqual([...first, "answers 20", "starts 4", "answers 30", "answers 40"]);
});

type Asked = { list: string; caller: number };

/** Reads that record who shared them. Each answers its caller with the list and the caller; the list "broken" fails. */
function openReads() {
  const reads: (readonly Asked[])[] = [];
  const read = batchReads(
    ({ list }: Asked) => list,
    async (_owner: object, callers) => {
      reads.push(callers);
      const [{ list }] = callers;
      await Bun.sleep(0);
      if (list === "broken") throw new Error("broken");
      return ({ caller }) => `${list} for ${caller}`;
    },
  );
  return { read, reads };
}

test("callers of the same moment share a read of the same list, and each gets its own answer", async () => {
  const { read, reads } = openReads();
  const owner = {};
  const asked = [1, 2, 3, 4].map((caller) => ({ list: caller === 3 ? "b" : "a", caller }));
  const answers = await Promise.all(asked.map((each) => read(owner, each)));
  expect(answers).toEqual(["a for 1", "a for 2", "b for 3", "a for 4"]);
  expect(reads.map((callers) => callers.map(({ caller }) => caller))).toEqual([[1, 2, 4], [3]]);
});

test("a caller who asks while a read runs gets a read that begins later", async () => {
  const { read, reads } = openReads();
  const owner = {};
  const first = read(owner, { list: "a", caller: 1 });
  while (reads.length === 0) await Bun.sleep(0);
  const second = read(owner, { list: "a", caller: 2 });
  expect(await Promise.all([first, second])).toEqual(["a for 1", "a for 2"]);
  expect(reads).toHaveLength(2);
});

test("a read that fails does so only for its own callers", async () => {
  const { read } = openReads();
  const owner = {};
  const asked = ["a", "broken", "b"].map((list, caller) => ({ list, caller }));
  const ends = await Promise.allSettled(asked.map((each) => read(owner, each)));
  expect(ends.map((end) => (end.status === "fulfilled" ? end.value : String(end.reason)))).toEqual([
    "a for 0",
    "Error: broken",
    "b for 2",
  ]);
});
