import { Command } from "ioredis";
import { waitUntil } from "#db/embedded/processes.ts";
import { freePorts } from "#tests/engines/free-port.ts";
import { ask, LOOPBACK, type RedisNode, startNode } from "#tests/engines/redis-nodes.ts";

/** A master whose peers have not heard of it for so long is replaced by its replica, within about as long again. */
const NODE_TIMEOUT_MS = 1_500;
const UP_WITHIN_MS = 30_000;
const SLOTS = 16_384;
const ID_LENGTH = 40;

/** A Redis Cluster on loopback: masters, and a replica of each. It stores nothing on disk. */
export type RedisCluster = {
  /** For REDIS_URL. */
  url: string;
  /** The ports of the masters, at the start. */
  masterPorts: number[];
  /** Kills the master that holds this key. @returns its port. Resolves at once; its replica takes over seconds later. */
  killMaster: (key: string) => Promise<number>;
  /** Waits until all slots have a master again, and each killed node is known to be gone. */
  untilServed: () => Promise<void>;
  stop: () => Promise<void>;
};

/** Starts a cluster in about 3 s, of which Redis itself waits 2 s. The caller stops it. */
export async function startRedisCluster({ masters = 3 } = {}): Promise<RedisCluster> {
  const ports = freePorts(masters * 4);
  const plan = Array.from({ length: masters * 2 }, (_, index) => ({
    port: ports[2 * index] ?? 0,
    busPort: ports[2 * index + 1] ?? 0,
    shard: index % masters,
    isMaster: index < masters,
    id: (index + 1).toString(16).padStart(ID_LENGTH, "0"),
  }));
  const start = async (node: Planned) => {
    const files = { "nodes.conf": describe(plan, node, masters) };
    return [node.port, await startNode(node.port, options(node), { files })] as const;
  };
  const nodes = new Map(await Promise.all(plan.map(start)));
  const killed = new Set<number>();
  const untilServed = () => untilUp(nodes, killed, plan.length);
  await untilServed();
  return {
    url: `redis+cluster://${plan.map(({ port }) => `${LOOPBACK}:${port}`).join(",")}`,
    masterPorts: plan.slice(0, masters).map(({ port }) => port),
    killMaster: async (key) => {
      const port = await masterOf(
        new Command("get", [key]).getSlot(),
        [...nodes.keys()].filter((each) => !killed.has(each)),
      );
      killed.add(port);
      nodes.get(port)?.kill();
      await nodes.get(port)?.exited;
      return port;
    },
    untilServed,
    stop: async () => {
      await Promise.all([...nodes.values()].map((node) => node.stop()));
    },
  };
}

type Planned = { port: number; busPort: number; shard: number; isMaster: boolean; id: string };

function options({ busPort }: Planned): string[] {
  return [
    "cluster-enabled yes",
    "cluster-config-file nodes.conf",
    `cluster-port ${busPort}`,
    `cluster-node-timeout ${NODE_TIMEOUT_MS}`,
    // A replica takes over even if it was cut off for a while.
    "cluster-replica-validity-factor 0",
  ];
}

/** The cluster as a node stores it. Written beforehand, so that the nodes need not meet first. */
function describe(plan: readonly Planned[], self: Planned, masters: number): string {
  const lines = plan.map((node) => {
    const flags = `${node === self ? "myself," : ""}${node.isMaster ? "master" : "slave"}`;
    const master = node.isMaster ? "-" : (plan[node.shard]?.id ?? "-");
    const from = Math.ceil((node.shard * SLOTS) / masters);
    const to = Math.ceil(((node.shard + 1) * SLOTS) / masters) - 1;
    const address = `${LOOPBACK}:${node.port}@${node.busPort}`;
    return `${node.id} ${address} ${flags} ${master} 0 0 ${node.shard + 1} connected${node.isMaster ? ` ${from}-${to}` : ""}`;
  });
  return [...lines, `vars currentEpoch ${masters} lastVoteEpoch 0`, ""].join("\n");
}

async function untilUp(nodes: Map<number, RedisNode>, killed: Set<number>, all: number): Promise<void> {
  const isUp = async (port: number) => {
    const [info, list] = [await ask(port, "CLUSTER INFO"), await ask(port, "CLUSTER NODES")];
    const lines = (list ?? "").split("\n").filter((line) => line.includes(LOOPBACK));
    // Also that of the killed ones which the others take for gone.
    const gone = lines.filter((line) => /\bfail\b/.test(line)).length;
    const isReplica = lines.some((line) => line.includes("myself,slave"));
    const isLinked =
      !isReplica || (await ask(port, "INFO replication"))?.includes("master_link_status:up") === true;
    return (
      info?.includes("cluster_state:ok") === true && lines.length === all && gone === killed.size && isLinked
    );
  };
  const up = await waitUntil(async () => {
    const running = [...nodes.keys()].filter((port) => !killed.has(port));
    return (await Promise.all(running.map(isUp))).every(Boolean);
  }, UP_WITHIN_MS);
  if (!up) throw new Error("The Redis cluster did not come up.");
}

async function masterOf(slot: number, ports: readonly number[]): Promise<number> {
  for (const line of ((await ask(ports[0] ?? 0, "CLUSTER NODES")) ?? "").split("\n")) {
    const [, address = "", flags = "", , , , , , ...ranges] = line.trim().split(" ");
    const has = ranges.some((range) => {
      const [from = "", to = from] = range.split("-");
      return Number(from) <= slot && slot <= Number(to);
    });
    if (has && flags.includes("master") && !flags.includes("fail"))
      return Number(/:(\d+)@/.exec(address)?.[1]);
  }
  throw new Error(`No master has the slot ${slot}.`);
}
