import { pino } from "pino";
import { type SignedIn, startCableServer } from "#tests/live/cable/cable-server.ts";
import { Client } from "#tests/live/cable/client.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { createTestRedis } from "#tests/support/redis.ts";

export const EXTENDED = ["actioncable-v1-ext-json"];

/** A cable server with a Redis of its own, which may be stopped, and the lines that it logs. It ends with the file. */
export async function openCable() {
  const deps = await testDeps();
  const own = await createTestRedis();
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  const { redis } = own;
  const server = startCableServer({ ...deps, log, redis, env: { ...deps.env, redisUrl: own.url } });
  afterFile(async () => {
    process.kill(own.pid, "SIGCONT");
    await server.stop();
    await own.stop();
  });
  const connect = (who: SignedIn, { protocols, sid }: { protocols?: string[]; sid?: string } = {}) =>
    new Client(sid === undefined ? server.url : `${server.url}?sid=${sid}`, {
      origin: server.origin,
      cookie: who.cookie,
      ...(protocols === undefined ? {} : { protocols }),
    }).welcomed();
  return { deps, redis, redisUrl: own.url, redisPid: own.pid, lines, connect };
}

/** The id of an extended client's connection. */
export function sidOf(client: Client): string {
  const [welcome] = client.ofType("welcome");
  return welcome !== undefined && "sid" in welcome ? String(welcome.sid) : "";
}

/** True if the connection has the subscriptions of an earlier one. */
export function isRestored(client: Client): boolean {
  return JSON.stringify(client.ofType("welcome")).includes('"restored":true');
}
