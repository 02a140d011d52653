import { freePort } from "#tests/engines/free-port.ts";
import { startNode } from "#tests/engines/redis-nodes.ts";

/** The Redis of the machines. */
export type RedisOfMachines = {
  url: string;
  /** Kills what serves now, and brings it back as its operator would. */
  killMaster: () => Promise<void>;
  stop: () => Promise<void>;
};

export async function startRedisOfMachines(): Promise<RedisOfMachines> {
  const port = freePort();
  let node = await startNode(port, []);
  return {
    url: `redis://127.0.0.1:${port}/0`,
    killMaster: async () => {
      node.kill();
      await node.exited;
      node = await startNode(port, []);
    },
    stop: () => node.stop(),
  };
}
