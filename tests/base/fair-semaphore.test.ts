import { expect, test } from "bun:test";
import { createFairSemaphore } from "#src/base/fair-semaphore.ts";

/** One at a time, and at most four that wait. */
function build() {
  const run = createFairSemaphore({ concurrentMax: 1, waitingMax: 4, whenFull: () => new Error("full") });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (key: string, name: string) =>
    run(key, () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    }).catch((error: Error) => error.message);
  const end = async (name: string) => {
    ends.get(name)?.();
    await Bun.sleep(0);
  };
  return { ask, started, end };
}

test("keys take turns, and those of one key keep their order", async () => {
  const { ask, started, end } = build();
  for (const name of ["a1", "a2", "a3"]) void ask("a", name);
  for (const name of ["b1", "c1"]) void ask(name.charAt(0), name);
  for (const name of ["a1", "a2", "b1", "c1"]) await end(name);
  expect(started).toEqual(["a1", "a2", "b1", "c1", "a3"]);
});

test("when too many wait, the last of the longest queue is refused, and no other", async () => {
  const { ask, started, end } = build();
  const many = ["a1", "a2", "a3", "a4", "a5"].map((name) => ask("a", name));
  const other = ask("b", "b1");
  expect(await many[4]).toBe("full");
  for (const name of ["a1", "a2", "b1", "a3", "a4"]) await end(name);
  expect(await other).toBe("b1");
  expect(started).toEqual(["a1", "a2", "b1", "a3", "a4"]);
  // A free slot is taken at once.
  void ask("c", "c1");
  expect(started.at(-1)).toBe("c1");
});
