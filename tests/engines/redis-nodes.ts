import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findRedis } from "#db/embedded/redis.ts";
import { launch, type Server } from "#db/embedded/server.ts";
import { testServers } from "#tests/support/servers.ts";

/** A `redis-server` on a port of loopback: a node of a cluster, a master with replicas, or a sentinel. */
export type RedisNode = Server & { port: number };

export const LOOPBACK = "127.0.0.1";

/**
 * Starts a `redis-server` with these lines as its configuration file, which it may rewrite. It stores no data on disk.
 * @param files more files for its folder, by name.
 */
export async function startNode(
  port: number,
  config: readonly string[],
  { sentinel = false, files = {} }: { sentinel?: boolean; files?: Record<string, string> } = {},
): Promise<RedisNode> {
  const { folder: parent } = await testServers();
  const folder = path.join(parent, `redis-${port}-${crypto.randomUUID().slice(0, 8)}`);
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, "redis.conf");
  const shared = [`bind ${LOOPBACK}`, `port ${port}`, `dir ${folder}`, "daemonize no"];
  writeFileSync(file, [...shared, ...(sentinel ? [] : dataOptions), ...config, ""].join("\n"));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const server = await launch({
    name: "Redis",
    command: [findRedis(folder, () => undefined), file, ...(sentinel ? ["--sentinel"] : [])],
    cwd: folder,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
    logFile: path.join(folder, "redis.log"),
    stopSignal: "SIGTERM",
    // It may ask for a password.
    isReady: async () => /^(\+PONG|-NOAUTH)/.test((await ask(port, "PING")) ?? ""),
  });
  return { ...server, port };
}

const dataOptions = [
  'save ""',
  "appendonly no",
  "maxmemory-policy noeviction",
  "hz 500",
  // A replica gets its first copy at once, and not after 5 s of waiting for others.
  "repl-diskless-sync-delay 0",
];

/** The answer of a Redis to one inline command, as it sends it; null if there is none within half a second. */
export async function ask(port: number, command: string): Promise<string | null> {
  const answer = Promise.withResolvers<string | null>();
  const timer = setTimeout(() => answer.resolve(null), ANSWER_WITHIN_MS);
  try {
    const connection = await Bun.connect({
      hostname: LOOPBACK,
      port,
      socket: {
        open: (client) => void client.write(`${command}\r\n`),
        data: (_client, bytes) => answer.resolve(bytes.toString()),
        close: () => answer.resolve(null),
        error: () => answer.resolve(null),
      },
    });
    const text = await answer.promise;
    connection.end();
    return text;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
const ANSWER_WITHIN_MS = 500;
