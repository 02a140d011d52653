import { expect, test } from "bun:test";
import { inTransaction } from "#db/client.ts";
import { checkFence } from "#db/ledger/locks.ts";
import { lockCounts, PROCEED_ON_TIMEOUT, withLock, withLocks } from "#src/base/lock.ts";
import { isAwaited } from "#src/base/redis-locks.ts";
import { takeTurn } from "#src/base/redis-script.ts";
import { connectRedis } from "#src/base/redis.ts";
import { buildDraft, buildEvent, buildPlayer, buildSession, readEvent } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { refusalOf } from "#tests/support/world.ts";

const AN_HOUR_MS = 3_600_000;
/** On a busy machine. */
const PATIENT = { waitMs: 60_000, onTimeout: "refuse" } as const;
const deps = await testDeps();

test("a lock has one holder at a time, each with a higher token than all before", async () => {
  let holders = 0;
  const tokens: number[] = [];
  await Promise.all(
    Array.from({ length: 16 }, () =>
      withLock(
        deps,
        "event:1",
        async (fence) => {
          holders += 1;
          expect(holders).toBe(1);
          tokens.push(fence ?? 0);
          await Bun.sleep(2);
          holders -= 1;
        },
        PATIENT,
      ),
    ),
  );
  expect(tokens).toHaveLength(16);
  expect(tokens).toEqual(tokens.toSorted((one, other) => one - other));
  expect(new Set(tokens).size).toBe(16);
});

test("after the lock timeout the work is refused, or proceeds without the lock", async () => {
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
  const withoutLock = await withLock(deps, "event:4", (fence) => Promise.resolve(fence), {
    ...PROCEED_ON_TIMEOUT,
    waitMs: 20,
  });
  expect(withoutLock).toBeNull();
  finish(undefined);
  await holding;
});

test("a lock that expired and was taken over is not released by its first holder", async () => {
  await withLock(deps, "event:5", async () => {
    await deps.redis.set("lock:{event:5}", "another holder");
  });
  expect(await deps.redis.get("lock:{event:5}")).toBe("another holder");
});

test("a running holder renews its lock, which without that lasts 4 s", async () => {
  const ttlMs = () => deps.redis.pttl("lock:{wallet:9}");
  await withLock(deps, "wallet:9", async () => {
    expect(await ttlMs()).toBeWithin(1, 4_001);
    await deps.redis.pexpire("lock:{wallet:9}", 2_500);
    await waitFor("the lock to be renewed", async () => (await ttlMs()) > 2_500);
  });
  expect(await deps.redis.exists("lock:{wallet:9}")).toBe(0);
});

test("the lock of a holder that died goes to the next one, with a higher token", async () => {
  const before = await withLock(deps, "event:10", (fence) => Promise.resolve(fence ?? 0));
  await deps.redis.set("lock:{event:10}", "a dead holder", "PX", 100);
  expect(await withLock(deps, "event:10", (fence) => Promise.resolve(fence ?? 0))).toBeGreaterThan(before);
});

const tokenFor = (key: string) => withLock(deps, key, (fence) => Promise.resolve(fence ?? 0));

test("tokens keep growing after Redis has lost everything", async () => {
  const before = await tokenFor("event:6");
  await deps.redis.flushall();
  expect(await tokenFor("event:6")).toBeGreaterThan(before);
});

test.each(["event", "session", "wallet"] as const)(
  "a holder of a lock of an %s is accepted after tokens of a clock that is an hour ahead, and those who come later too",
  async (kind) => {
    const id = await buildRow(kind);
    const ahead = (Date.now() + AN_HOUR_MS) * 1_000;
    const check = (token: number) => inTransaction(deps.pool.db, (tx) => checkFence(tx, { kind, id, token }));
    await check(ahead);
    await deps.redis.flushall();
    const first = await tokenFor(`${kind}:${id}`);
    const second = await tokenFor(`${kind}:${id}`);
    await check(first);
    await check(second);
    const third = await tokenFor(`${kind}:${id}`);
    expect([first > ahead, third > second]).toEqual([true, true]);
    await check(third);
    expect(check(second)).rejects.toThrow();
  },
);

async function buildRow(kind: "event" | "session" | "wallet"): Promise<number> {
  if (kind === "wallet") return (await buildPlayer(deps)).id;
  const { id, sessionId } = await buildEvent(deps, "visible", { sessionId: (await buildSession(deps)).id });
  return kind === "event" ? id : (sessionId ?? 0);
}

test("after the clock of Redis was set back, the lock of a dead holder is taken, and no other", async () => {
  await deps.redis.set("lock:{event:31}", `dead ${Date.now() - 5_100}`, "PX", 65_000);
  await deps.redis.set("lock:{event:31}:awaited", "another one", "PX", 60_100);
  expect(await isAwaited(deps.redis, "event:31")).toBe(false);
  expect(await tokenFor("event:31")).toBeGreaterThan(0);
  await deps.redis.set("lock:{event:32}", `alive ${Date.now()}`, "PX", 65_000);
  const held = await withLocks(deps, ["event:31", "event:32"], (fences) =>
    Promise.resolve([...fences.keys()]),
  );
  expect(held).toEqual(["event:31"]);
  expect(await deps.redis.exists("lock:{event:31}", "lock:{event:32}")).toBe(1);
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

test("a holder whose lock is taken over twice is refused and has changed nothing", async () => {
  const event = await buildDraft(deps);
  let newest = 0;
  const refusal = await refusalOf(
    withLock(deps, `event:${event.id}`, async (fence) => {
      newest = (fence ?? 0) + 1;
      await overtake(event.id, newest);
      await fencedWork(event.id, fence ?? 0);
    }),
  );
  expect(refusal.status).toBe(409);
  expect((await readEvent(deps, event.id)).fence).toBe(newest);
});

test("while Redis is away the work runs at once without a token, and is counted", async () => {
  const gone = connectRedis("redis://127.0.0.1:1", "commands");
  const fences: (number | null)[] = [];
  const away = { ...deps, redis: gone };
  for (let count = 0; count < 3; count += 1) {
    await withLock(away, "event:7", (fence) => Promise.resolve(fences.push(fence)));
  }
  expect(fences).toEqual([null, null, null]);
  expect(lockCounts(gone)).toEqual({ given: 0, busy: 0, stale: 0, away: 3 });
  gone.disconnect();
});

test("of many locks only the free ones are taken, each with a growing token", async () => {
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

test("while Redis is away the work for many keys runs without tokens", async () => {
  const gone = connectRedis("redis://127.0.0.1:1", "commands");
  const fences = await withLocks({ ...deps, redis: gone }, ["event:26", "event:27"], (given) =>
    Promise.resolve([...given]),
  );
  expect(fences).toEqual([
    ["event:26", null],
    ["event:27", null],
  ]);
  gone.disconnect();
});

const overtake = (id: number, token: number) =>
  inTransaction(deps.pool.db, (tx) => checkFence(tx, { kind: "event", id, token }));
const fencedWork = overtake;

const { redis } = await testDeps();

test("a turn is taken once within its time, and the others learn how long to wait", async () => {
  const waits = await Promise.all(Array.from({ length: 8 }, () => takeTurn(redis, "turn:1", 60_000)));
  expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(1);
  expect(Math.max(...waits)).toBeWithin(50_000, 60_001);
});

test("nobody waits for longer than that, also after the clock of Redis was set back, or once it is empty", async () => {
  await redis.set("turn:2", 1, "PX", 60_250);
  expect(await takeTurn(redis, "turn:2", 250)).toBe(0);
  expect(await redis.pttl("turn:2")).toBeLessThanOrEqual(250);
  expect(await takeTurn(redis, "turn:3", 60_000)).toBe(0);
  await redis.flushall();
  expect(await takeTurn(redis, "turn:3", 60_000)).toBe(0);
});
