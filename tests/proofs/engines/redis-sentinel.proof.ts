import { expect, test } from "bun:test";
import { waitUntil } from "#db/embedded/processes.ts";
import { withLock } from "#src/base/lock.ts";
import { freePorts } from "#tests/engines/free-port.ts";
import { ask, LOOPBACK, type RedisNode, startNode } from "#tests/engines/redis-nodes.ts";
import { listDifferences } from "#tests/support/books.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { openEvent, playDuring, startShow } from "./redis-show.ts";

/** A master that a sentinel has not heard of for so long is replaced. */
const DOWN_AFTER_MS = 1_000;
const UP_WITHIN_MS = 30_000;
const MASTER = "called-it";
const SENTINELS = 3;
const QUORUM = 2;

const sentinels = await startRedisSentinels();
const show = await startShow(sentinels.url);
const { deps } = show;

/** Locks are of the new master again, and jobs are accepted. */
async function expectUse(): Promise<void> {
  await waitFor("a lock of the new master", () => withLock(deps, "event:1", async (fence) => fence !== null));
  await waitFor("a job to be accepted", () =>
    deps.queues.sendMail({ mailId: 999_999 }, 0).then(
      () => true,
      () => false,
    ),
  );
}

test("a master is demoted while it runs: its clients go to the new one, and every call arrives", async () => {
  const { spotId } = await openEvent(show, 120_000);
  const { placed } = await playDuring(show, spotId, () => sentinels.switchMaster());
  expect(placed).toBeGreaterThan(0);
  await expectUse();
});

/** It takes some ten seconds, and a player's history has twelve messages: a page that misses more reads its data again. */
const OUTAGE_CALL_EVERY_MS = 1_000;

test("the master is killed: the replica is promoted, and every call arrives", async () => {
  const { spotId } = await openEvent(show, 120_000);
  const before = await sentinels.masterPort();
  const work = async () => {
    await sentinels.killMaster();
    // A message that was on its way may arrive after the kill, so players go on until the other one is the master.
    const isPromoted = async () => (await sentinels.masterPort()) !== before;
    await waitFor("the replica to be promoted", isPromoted, { withinMs: 60_000 });
  };
  const { placed, backMs } = await playDuring(show, spotId, work, OUTAGE_CALL_EVERY_MS);
  expect(placed).toBeGreaterThan(0);
  expect(backMs).toBeLessThan(30_000);
  await expectUse();
});

test("a process that stops while all of Redis is away ends without an error", async () => {
  expect(await listDifferences(deps.pool.db)).toEqual([]);
  await sentinels.stop();
  // By then the lost connections are noticed, and all attempts to subscribe again have failed.
  await Bun.sleep(1_000);
  await show.stop();
  await Bun.sleep(500);
});

/** A Redis with a replica, and three sentinels that watch it, on loopback. It stores nothing on disk. */
type RedisSentinels = {
  /** For REDIS_URL. */
  url: string;
  /** Kills the present master. @returns its port. Resolves at once; the replica is promoted seconds later. */
  killMaster: () => Promise<number>;
  /** Lets the sentinels promote the replica while the master runs: it is demoted, and its clients get READONLY. */
  switchMaster: () => Promise<void>;
  /** The port of the present master, by a sentinel. */
  masterPort: () => Promise<number>;
  stop: () => Promise<void>;
};

/** Starts all of it in about 2 s. The caller stops it. */
async function startRedisSentinels(): Promise<RedisSentinels> {
  const ports = freePorts(2 + SENTINELS);
  const [master = 0, replica = 0, ...sentinelPorts] = ports;
  const servers = new Map<number, RedisNode>();
  const start = async (port: number, config: readonly string[], sentinel = false) =>
    void servers.set(port, await startNode(port, config, { sentinel }));
  await start(master, []);
  await start(replica, [`replicaof ${LOOPBACK} ${master}`]);
  const watched = [
    `sentinel monitor ${MASTER} ${LOOPBACK} ${master} ${QUORUM}`,
    `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${MASTER} 5000`,
  ];
  await Promise.all(sentinelPorts.map((port) => start(port, watched, true)));
  const [sentinel = 0] = sentinelPorts;
  const masterPort = async () => {
    const answer = await ask(sentinel, `SENTINEL get-master-addr-by-name ${MASTER}`);
    return Number(/\r\n(\d+)\r\n$/.exec(answer ?? "")?.[1] ?? 0);
  };
  const isWatched = async (port: number) => {
    const answer = (await ask(port, `SENTINEL master ${MASTER}`)) ?? "";
    const count = (name: string) =>
      Number(new RegExp(`${name}\\r\\n\\$\\d+\\r\\n(\\d+)`).exec(answer)?.[1] ?? 0);
    return count("num-slaves") === 1 && count("num-other-sentinels") === SENTINELS - 1;
  };
  await until("The sentinels did not find each other.", async () =>
    (await Promise.all(sentinelPorts.map(isWatched))).every(Boolean),
  );
  const untilReplica = (port: number) =>
    until("A master did not become a replica.", async () => {
      const info = (await ask(port, "INFO replication")) ?? "";
      return info.includes("role:slave") && info.includes("master_link_status:up");
    });
  return {
    url: `redis+sentinel://${sentinelPorts.map((port) => `${LOOPBACK}:${port}`).join(",")}/${MASTER}`,
    killMaster: async () => {
      const port = await masterPort();
      // One that was a master itself cannot be promoted yet: the sentinels demote it 8 s after a failover.
      for (const other of [master, replica])
        if (other !== port && (await ask(other, "PING")) !== null) await untilReplica(other);
      servers.get(port)?.kill();
      await servers.get(port)?.exited;
      return port;
    },
    switchMaster: async () => {
      const before = await masterPort();
      await until("The sentinels did not accept the failover.", async () => {
        const answer = await ask(sentinel, `SENTINEL failover ${MASTER}`);
        return answer?.startsWith("+OK") === true;
      });
      await until("No replica was promoted.", async () => (await masterPort()) !== before);
    },
    masterPort,
    stop: async () => {
      await Promise.all([...servers.values()].map((server) => server.stop()));
    },
  };
}

async function until(failure: string, holds: () => Promise<boolean>): Promise<void> {
  if (!(await waitUntil(holds, UP_WITHIN_MS))) throw new Error(failure);
}
