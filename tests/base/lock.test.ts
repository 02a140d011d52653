import { expect, test } from "bun:test";
import { inTransaction } from "#db/client.ts";
import { checkFence } from "#db/ledger/check-fence.ts";
import { lockCounts } from "#src/base/lock-counts.ts";
import { PROCEED_ON_TIMEOUT, withLock, withLocks } from "#src/base/lock.ts";
import { connectRedis } from "#src/base/redis.ts";
import { Refusal } from "#src/base/refusal.ts";
import { buildDraft, readEvent } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const deps = await testDeps();

test("only one at a time is inside, and its token is higher than all before", async () => {
  let inside = 0;
  const tokens: number[] = [];
  await Promise.all(
    Array.from({ length: 16 }, () =>
      withLock(deps, "event:1", async (fence) => {
        inside += 1;
        expect(inside).toBe(1);
        tokens.push(fence ?? 0);
        await Bun.sleep(2);
        inside -= 1;
      }),
    ),
  );
  expect(tokens).toHaveLength(16);
  expect(tokens).toEqual(tokens.toSorted((one, other) => one - other));
  expect(new Set(tokens).size).toBe(16);
});

test("locks of different keys do not wait for each other", async () => {
  const answer = await withLock(deps, "event:1", () =>
    withLock(deps, "event:2", () => Promise.resolve("both")),
  );
  expect(answer).toBe("both");
});

test("it is given back when the work fails", async () => {
  const failing = withLock(deps, "event:3", () => Promise.reject(new Error("the work failed")));
  expect(failing).rejects.toThrow("the work failed");
  await failing.catch(() => undefined);
  expect(await deps.redis.exists("lock:{event:3}")).toBe(0);
});

test("whoever waits too long is told that somebody else is at it, and does nothing", async () => {
  const { promise: done, resolve: finish } = Promise.withResolvers<undefined>();
  const holding = withLock(deps, "event:4", () => done);
  await waitFor("the lock to be held", async () => (await deps.redis.exists("lock:{event:4}")) === 1);
  let worked = false;
  const refusal = await refusalOf(
    withLock(deps, "event:4", () => {
      worked = true;
      return Promise.resolve();
    }),
  );
  expect(refusal.status).toBe(409);
  expect(worked).toBe(false);
  expect(lockCounts(deps.redis).busy).toBeGreaterThan(0);
  const insistent = await withLock(deps, "event:4", (fence) => Promise.resolve(fence), {
    ...PROCEED_ON_TIMEOUT,
    waitMs: 20,
  });
  expect(insistent).toBeNull();
  finish(undefined);
  await holding;
});

test("a lock that has run out and was taken by another is not given back by its first holder", async () => {
  await withLock(deps, "event:5", async () => {
    await deps.redis.set("lock:{event:5}", "another holder");
  });
  expect(await deps.redis.get("lock:{event:5}")).toBe("another holder");
});

test("a holder that takes its time keeps its lock; that of a wallet lasts 5 s without it, others 15 s", async () => {
  const lasts = (key: string) => deps.redis.pttl(`lock:{${key}}`);
  await withLock(deps, "event:9", async () => {
    expect(await lasts("event:9")).toBeWithin(10_000, 15_001);
  });
  await withLock(deps, "wallet:9", async () => {
    expect(await lasts("wallet:9")).toBeWithin(2_500, 5_001);
    await deps.redis.pexpire("lock:{wallet:9}", 2_500);
    await waitFor("the lock to be renewed", async () => (await lasts("wallet:9")) > 2_500);
  });
  expect(await deps.redis.exists("lock:{wallet:9}")).toBe(0);
});

test("what a holder leaves behind that died is given to the next, with a higher token", async () => {
  const before = await withLock(deps, "event:10", (fence) => Promise.resolve(fence ?? 0));
  await deps.redis.set("lock:{event:10}", "whoever died", "PX", 100);
  const after = await withLock(deps, "event:10", (fence) => Promise.resolve(fence ?? 0));
  expect(after).toBeGreaterThan(before);
});

test("tokens keep growing after Redis has lost everything", async () => {
  const before = await withLock(deps, "event:6", (fence) => Promise.resolve(fence ?? 0));
  await deps.redis.flushall();
  const after = await withLock(deps, "event:6", (fence) => Promise.resolve(fence ?? 0));
  expect(after).toBeGreaterThan(before);
});

test("a holder whose lock was taken over gets one more try with a new token", async () => {
  const event = await buildDraft(deps);
  const tokens: number[] = [];
  await withLock(deps, `event:${event.id}`, async (fence) => {
    tokens.push(fence ?? 0);
    if (tokens.length === 1) await overtake(event.id, (fence ?? 0) + 1);
    await fencedWork(event.id, fence ?? 0);
  });
  expect(tokens).toHaveLength(2);
  expect((await readEvent(deps, event.id)).fence).toBe(tokens[1] ?? 0);
});

test("a holder that is overtaken again and again gives up and has changed nothing", async () => {
  const event = await buildDraft(deps);
  const newest = Date.now() * 2_000;
  await overtake(event.id, newest);
  const refusal = await refusalOf(
    withLock(deps, `event:${event.id}`, (fence) => fencedWork(event.id, fence ?? 0)),
  );
  expect(refusal.status).toBe(409);
  expect((await readEvent(deps, event.id)).fence).toBe(newest);
});

test("while Redis is away the work goes on at once, without a token, and is counted", async () => {
  const gone = connectRedis("redis://127.0.0.1:1", "commands");
  const fences: (number | null)[] = [];
  const away = { redis: gone, log: deps.log };
  for (let turn = 0; turn < 3; turn += 1) {
    await withLock(away, "event:7", (fence) => Promise.resolve(fences.push(fence)));
  }
  expect(fences).toEqual([null, null, null]);
  expect(lockCounts(gone)).toEqual({ given: 0, busy: 0, stale: 0, away: 3 });
  gone.disconnect();
});

test("of many locks those are held that nobody else holds, each with a token of its own growing line", async () => {
  const keys = ["event:21", "event:22", "event:23"];
  const before = await withLock(deps, "event:21", (fence) => Promise.resolve(fence ?? 0));
  await withLock(deps, "event:22", async () => {
    const held = await withLocks(deps, keys, async (fences) => {
      expect((await refusalOf(withLock(deps, "event:23", () => Promise.resolve()))).status).toBe(409);
      return new Map(fences);
    });
    expect([...held.keys()]).toEqual(["event:21", "event:23"]);
    expect(held.get("event:21")).toBeGreaterThan(before);
    expect(await deps.redis.exists("lock:{event:21}", "lock:{event:22}", "lock:{event:23}")).toBe(1);
  });
});

test("many locks are given back when the work fails", async () => {
  const failing = withLocks(deps, ["event:24", "event:25"], () =>
    Promise.reject(new Error("the work failed")),
  );
  expect(await failing.catch((error: unknown) => String(error))).toBe("Error: the work failed");
  expect(await deps.redis.exists("lock:{event:24}", "lock:{event:25}")).toBe(0);
});

test("without Redis many are worked on without tokens", async () => {
  const gone = connectRedis("redis://127.0.0.1:1", "commands");
  const fences = await withLocks({ redis: gone, log: deps.log }, ["event:26", "event:27"], (given) =>
    Promise.resolve([...given]),
  );
  expect(fences).toEqual([
    ["event:26", null],
    ["event:27", null],
  ]);
  gone.disconnect();
});

test("a refusal of the work itself comes out unchanged", async () => {
  const refusal = await refusalOf(
    withLock(deps, "event:8", () => Promise.reject(new Refusal(422, "invalid", "no"))),
  );
  expect(refusal.message).toBe("no");
});

const overtake = (id: number, token: number) =>
  inTransaction(deps.pool.db, (tx) => checkFence(tx, { kind: "event", id, token }));
const fencedWork = overtake;
