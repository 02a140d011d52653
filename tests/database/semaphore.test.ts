import { expect, test } from "bun:test";
import { Semaphore, semaphorePerOwner } from "#db/pool/semaphore.ts";

/** One at a time, and at most four that wait. */
function build() {
  const semaphore = new Semaphore(1, { waitingMax: 4, whenFull: () => new Error("full") });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (key: string, name: string) =>
    semaphore
      .run(() => {
        started.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      }, key)
      .catch((error: Error) => error.message);
  const end = async (name: string) => {
    ends.get(name)?.();
    await Bun.sleep(0);
  };
  return { semaphore, ask, started, end };
}

test("at most two run at the same time, the others follow in their order", async () => {
  const semaphore = new Semaphore(2);
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
  const answers = await Promise.all([1, 2, 3, 4, 5].map((number) => semaphore.run(work(number))));
  expect(answers).toEqual([1, 2, 3, 4, 5]);
  expect(started).toEqual([1, 2, 3, 4, 5]);
  expect(semaphore.counts()).toMatchObject({ size: 2, running: 0, waiting: 0, waits: 3 });
});

test("work that fails gives its place to the next; owners do not wait for each other", async () => {
  const semaphoreOf = semaphorePerOwner(1);
  const owner = {};
  const failing = semaphoreOf(owner).run(() => Promise.reject(new Error("no")));
  const next = semaphoreOf(owner).run(() => Promise.resolve("next"));
  expect(await failing.catch((error: unknown) => String(error))).toBe("Error: no");
  expect(await next).toBe("next");
  const inner = () => semaphoreOf(owner).run(() => Promise.resolve("another owner"));
  expect(await semaphoreOf({}).run(inner)).toBe("another owner");
});

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
  // A free place is taken at once.
  void ask("c", "c1");
  expect(started.at(-1)).toBe("c1");
});

test("all that waits can be refused at once; what runs goes on", async () => {
  const { semaphore, ask, end } = build();
  const running = ask("a", "a1");
  const waiting = [ask("a", "a2"), ask("b", "b1")];
  semaphore.refuseWaiting(() => new Error("closed"));
  expect(await Promise.all(waiting)).toEqual(["closed", "closed"]);
  await end("a1");
  expect(await running).toBe("a1");
  expect(semaphore.counts()).toMatchObject({ running: 0, waiting: 0 });
});
