import { expect, test } from "bun:test";
import { withLock, withLocks } from "#src/base/lock.ts";
import { presenceKey, queuePrefix, slotOf, streamKey } from "#src/base/redis-keys.ts";
import { broadcast, userStream } from "#src/base/streams/broadcast.ts";
import { findOffsetsAndCounts, readMissedAfter } from "#src/base/streams/stream-offsets.ts";
import { tryRights } from "#src/base/watch-redis.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { eraseInRedis } from "#src/profiles/delete-account.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import { ask } from "#tests/engines/redis-nodes.ts";
import { alarmOf } from "#tests/jobs/due-events.ts";
import { sessionChannel, userChannel } from "#tests/live/cable/client.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { listDifferences } from "#tests/support/books.ts";
import { buildAdmin, readEvent } from "#tests/support/build.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { refusalOf } from "#tests/support/world.ts";
import { startRedisCluster } from "./redis-cluster.ts";
import { openEvent, playDuring, startShow } from "./redis-show.ts";

const cluster = await startRedisCluster();
const show = await startShow(cluster.url, { sweeps: false });
const { deps, session, players, pages } = show;
afterFile(async () => {
  expect(await listDifferences(deps.pool.db)).toEqual([]);
  await show.stop();
  await cluster.stop();
});

test("streams of several nodes keep their offsets, and their messages can be read again", async () => {
  const streams = [1, 2, 3, 4, 5, 6].map((id) => userStream(900_000 + id));
  expect(new Set(streams.map((stream) => slotOf(streamKey(deps.redis, stream)))).size).toBe(streams.length);
  const messages = [...streams, ...streams].map((stream) => ({ stream, text: `{"of":"${stream}"}` }));
  const sent = await broadcast(deps.redis, messages);
  expect(sent.map(({ offset }) => offset)).toEqual([...streams.map(() => 1), ...streams.map(() => 2)]);
  const { offsets } = await findOffsetsAndCounts(deps.redis, streams, [session.id]);
  expect(offsets).toEqual(sent.slice(streams.length));
  const [first] = sent;
  const { messages: missed, complete } = await readMissedAfter(deps.redis, streams[0] ?? "", {
    after: first ?? null,
  });
  expect(missed).toHaveLength(1);
  expect(complete).toBe(true);
  await eraseInRedis(deps, { userId: 900_001, email: null, sessionIds: [] });
  expect((await readMissedAfter(deps.redis, streams[0] ?? "", { after: null })).messages).toEqual([]);
});

test("a user with all rights is refused nothing of what the product tries", async () => {
  await tryRights(deps.redis, { url: cluster.url, user: "default" });
});

test("locks of several nodes are taken and released together, and rates are counted", async () => {
  const keys = [1, 2, 3, 4].map((id) => `event:90000${id}`);
  await withLock(deps, keys[1] ?? "", () =>
    withLocks(deps, keys, async (fences) => {
      expect([...fences.keys()]).toEqual(keys.filter((key) => key !== keys[1]));
      expect([...fences.values()].every((fence) => (fence ?? 0) > 0)).toBe(true);
    }),
  );
  await withLocks(deps, keys, async (fences) => expect([...fences.keys()]).toEqual(keys));
  const rate = { name: "on-a-cluster", withinS: 60, perAddress: 2 };
  const limited = { ...deps, env: { ...deps.env, rateLimits: true } };
  const from = { address: "198.51.100.7", viewer: null };
  await limitRate(limited, rate, from);
  await limitRate(limited, rate, from);
  expect(await refusalOf(limitRate(limited, rate, from))).toMatchObject({ status: 429 });
});

test("a show is played: presence, calls, an alarm, a settlement by a job; every message in order, in every process", async () => {
  await waitFor("both players", async () => {
    const counts = await deps.redis.get(presenceKey(deps.redis, session.id));
    return counts === "2";
  });
  const admin = await buildAdmin(deps);
  const { event, spotId } = await openEvent(show, 3_000);
  await deps.queues.setAlarm(alarmOf(event), 3_000);
  const { placed, refused } = await playDuring(show, spotId, () => Bun.sleep(500));
  expect(placed).toBeGreaterThan(3);
  expect(refused).toBe(0);
  await waitFor("the close", async () => (await readEvent(deps, event.id)).state === "closed");
  await resolveEvent(deps, { eventId: event.id, actor: admin, result: "true" });
  await waitFor("the payment", async () => (await deps.queues.byName.settlements.getCompletedCount()) > 0);
  for (const page of pages)
    await waitFor("the result on each page", () =>
      page.messages(sessionChannel(session.slug)).some(({ eventType }) => eventType === "resolve"),
    );
  const offsets =
    pages[0]?.messagesWithOffsets(userChannel(players[0].gid)).map(({ offset }) => offset) ?? [];
  expect(offsets).toEqual(offsets.map((_, index) => Number(offsets[0]) + index));
});

test("no node has refused keys of several slots", async () => {
  for (const port of cluster.masterPorts)
    expect(await ask(port, "INFO errorstats")).not.toContain("CROSSSLOT");
});

test("the master of a queue is killed: its jobs are accepted and done again", async () => {
  await cluster.untilServed();
  await cluster.killMaster(queuePrefix(deps.redis, "transitions"));
  const { event } = await openEvent(show, 500);
  await waitFor("an alarm to be accepted", () =>
    deps.queues.setAlarm(alarmOf(event), 500).then(
      () => true,
      () => false,
    ),
  );
  await waitFor("the close", async () => (await readEvent(deps, event.id)).state === "closed");
});
