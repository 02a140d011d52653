import { expect, test } from "bun:test";
import { shareReads } from "#src/base/share-reads.ts";

type Asked = { list: string; caller: number };

/** Reads that record who shared them. Each answers its caller with the list and the caller; the list "broken" fails. */
function openReads() {
  const reads: (readonly Asked[])[] = [];
  const read = shareReads(
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
