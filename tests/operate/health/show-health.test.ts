import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { Loads } from "#src/live/cable/loads.ts";
import { showHealth } from "#src/operate/health/show-health.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { runClock } from "#tests/support/database.ts";
import { redisAway } from "#tests/support/redis.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build } = await testWorld();
const { slug } = await build.runningSession();
const idle = { sockets: 2, slow: 1, slowestMs: 40, receives: true };
const hub = { loads: new Loads(deps, () => idle) };
const show = (over: Partial<typeof deps> = {}, sockets = hub) =>
  showHealth({ ...deps, ...over }, sockets, { slugOrId: slug, eventId: null });

/** As the relay does. */
const broadcastAll = () => db.execute(sql`UPDATE outbox SET sent_at = game_now() WHERE sent_at IS NULL`);

afterTest(async () => {
  await deps.redis.del("cable:loads");
  await broadcastAll();
});

test("the health of a show names what answers, and how fast", async () => {
  await broadcastAll();
  // On a busy machine an answer may be slow.
  const parts = await waitFor("fast answers", async () => {
    const { parts: asked } = await show();
    return asked.database.state === "ok" && asked.redis.state === "ok" && asked;
  });
  expect(parts.database).toEqual({ state: "ok", answerMs: expect.any(Number) });
  expect(parts.redis).toEqual({ state: "ok", answerMs: expect.any(Number) });
  expect(parts.feed).toEqual({ state: "ok", behindMs: 0 });
});

test("queues without a worker are slow: only the sweep performs what is due", async () => {
  expect((await show()).parts.queues).toEqual({ state: "slow", waiting: 0, failed: 0, working: false });
});

test("the feed is slow while facts wait to be broadcast", async () => {
  await build.runningSession();
  await runClock(deps.pool, { aheadMs: 8_000 });
  const { feed } = (await show()).parts;
  await runClock(deps.pool);
  expect(feed.state).toBe("slow");
  expect(feed.behindMs).toBeGreaterThanOrEqual(8_000);
});

test("without Redis the health is answered, and says so", async () => {
  const redis = await redisAway();
  const away = new Loads({ ...deps, redis }, () => idle);
  const { parts, sockets } = await show({ redis }, { loads: away });
  expect(parts.redis).toEqual({ state: "away", answerMs: null });
  expect(parts.feed.state).toBe("away");
  expect(parts.database.state).not.toBe("away");
  expect(sockets).toEqual({ count: 2, slow: 1, slowestMs: 40, complete: false });
});

test("a Redis that answers and takes no writes is of no use, and the health says so", async () => {
  const { parts } = await show({
    redisTrouble: () => ({ state: "refuses", said: "Redis takes no writes." }),
  });
  expect([parts.redis.state, parts.feed.state]).toEqual(["away", "away"]);
});

test("a process that receives no messages has no feed", async () => {
  const deaf = { loads: new Loads(deps, () => ({ ...idle, receives: false })) };
  expect((await show({}, deaf)).parts.feed.state).toBe("away");
});

test("the sockets of all processes are counted, and the slowest is that of any", async () => {
  const other = new Loads(deps, () => ({ sockets: 5, slow: 0, slowestMs: 300, receives: true }));
  await other.report();
  expect((await show()).sockets).toEqual({ count: 7, slow: 1, slowestMs: 300, complete: true });
  await other.withdraw();
  expect((await show()).sockets).toEqual({ count: 2, slow: 1, slowestMs: 40, complete: true });
});

test("a process that has died is not counted any more", async () => {
  await deps.redis.hset("cable:loads", "dead", JSON.stringify({ ...idle, atMs: Date.now() - 60_000 }));
  expect((await show()).sockets.count).toBe(2);
  await hub.loads.report();
  expect(Object.keys(await deps.redis.hgetall("cable:loads"))).not.toContain("dead");
});
