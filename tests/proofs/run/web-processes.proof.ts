import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { gidOf } from "#src/people/sign-ins/viewer.ts";
import { Client, sessionChannel, userChannel } from "#tests/live/cable/client.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildEvent, buildPlayer, buildRunningSession, readSpots } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import {
  childrenOf,
  makeDataFolder,
  rememberProcesses,
  startProduct,
} from "#tests/support/product-process.ts";
import { PROCESS_STARTS_WITHIN_MS, waitFor } from "#tests/support/wait-for.ts";
import { connectionsOf, listenersOn } from "./connections-of.ts";

/** The product starts several processes, on a machine that may be busy. */
const SLOW_MS = 180_000;

// Only Linux shares a port among processes.
const onLinux = test.skipIf(process.platform !== "linux");

const deps = await testDeps();
const { dataDir, remove } = makeDataFolder();
const shared = {
  WEB_CONCURRENCY: "2",
  DATABASE_URL: deps.env.databaseUrl,
  REDIS_URL: deps.env.redisUrl,
  SECRET_KEY: deps.env.secretKey,
  DEMO: "off",
};
const product = process.platform === "linux" ? startProduct(dataDir, { ...shared, LOG_LEVEL: "info" }) : null;
afterFile(async () => {
  product?.kill("SIGTERM");
  await product?.exited;
  remove();
});
const origin = (await product?.url.catch(() => null)) ?? "http://127.0.0.1:0";

const session = await buildRunningSession(deps);
const event = await buildEvent(deps, "open", { sessionId: session.id, durationSeconds: 600 });
const spotId = (await readSpots(deps, event.id)).true.id;
type Player = { id: number; gid: string; credentials: Record<string, string> };

async function signedInPlayer(): Promise<Player> {
  const { id } = await buildPlayer(deps);
  return { id, gid: gidOf(id), credentials: await signInDirectly(deps, { id }) };
}

function pidOf(name: string): number {
  const record: { pid: number } = JSON.parse(readFileSync(path.join(dataDir, `${name}.json`), "utf8"));
  return record.pid;
}

/** Opens sockets until one is connected to the process of that name: the kernel distributes them. */
async function connectTo(name: string, { credentials }: Player): Promise<Client> {
  for (;;) {
    const before = connectionsOf(pidOf(name));
    const options = { origin, cookie: credentials["cookie"] ?? "" };
    const client = await new Client(`${origin.replace("http", "ws")}/cable`, options).welcomed();
    if (connectionsOf(pidOf(name)).some((connection) => !before.includes(connection))) return client;
    client.close();
    await client.waitForClose();
  }
}

/** Sends a request on a connection of its own. */
function send(player: Player, method: string, target: string, body?: unknown): Promise<Response> {
  return fetch(`${origin}${target}`, {
    method,
    keepalive: false,
    headers: {
      ...player.credentials,
      origin,
      accept: "application/json",
      "content-type": "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** The web process that has answered a request, by its log. */
function answeredBy(response: Response): Promise<string> {
  const line = new RegExp(`(web-\\d) info answered .*${response.headers.get("x-request-id")}`);
  return waitFor("the log of the request", () => line.exec(product?.printed() ?? "")?.[1] ?? null);
}

/** Places calls of $1 until the process of that name has placed one. @returns how many. */
async function placeThrough(name: string, player: Player): Promise<number> {
  for (let placed = 1; ; placed += 1) {
    const response = await send(player, "POST", "/api/v1/calls", { call: { spot_id: spotId, wager: 1 } });
    expect(response.status).toBe(201);
    if ((await answeredBy(response)) === name) return placed;
  }
}

onLinux(
  "calls placed through one process arrive at sockets of the other, and the players of both are counted",
  async () => {
    const [ana, ben] = await Promise.all([signedInPlayer(), signedInPlayer()]);
    const anas = await connectTo("web-1", ana);
    const bens = await connectTo("web-2", ben);
    await anas.follow(userChannel(ana.gid));
    for (const client of [anas, bens]) await client.follow(sessionChannel(session.slug));

    const placed = await placeThrough("web-2", ana);
    await anas.waitForFrame("the balance after the last call", ({ message }) =>
      JSON.stringify(message ?? {}).includes(`"held":${placed}`),
    );
    for (const client of [anas, bens])
      await client.waitForFrame(
        "the pool",
        ({ message }) =>
          message?.["eventType"] === "pool" && JSON.stringify(message).includes(`"total":${placed}`),
      );
    const online = () => deps.redis.get(`presence:session:${session.id}`);
    await waitFor("both players to be counted", async () => (await online()) === "2");

    const signedOut = await send(ana, "DELETE", "/users/sign_out");
    expect(signedOut.status).toBe(204);
    expect(await anas.waitForClose()).toBe(1_000);
    await waitFor("one player to be counted", async () => (await online()) === "1");
    expect(bens.closed).toBeNull();
    bens.close();
  },
  SLOW_MS,
);

onLinux("with DATABASE_URL and REDIS_URL it uses those servers and starts no embedded ones", () => {
  for (const name of ["postgres", "redis"]) expect(existsSync(path.join(dataDir, name))).toBe(false);
});

onLinux(
  "when a web process is killed, the other one answers, and the killed one is started again",
  async () => {
    const ana = await signedInPlayer();
    const [lost, stays] = [await connectTo("web-1", ana), await connectTo("web-2", ana)];
    const killed = pidOf("web-1");
    const stillRunning = rememberProcesses([killed]);
    const listeners = listenersOn(origin);
    process.kill(killed, "SIGKILL");
    await waitFor("the process to end", () => stillRunning().length === 0);
    await lost.waitForClose();
    // Until the kernel has closed its listening socket, it gives connections to it, and resets them.
    await waitFor("its listener to be gone", () =>
      listeners.some((listener) => !listenersOn(origin).includes(listener)),
    );
    for (let asked = 0; asked < 10; asked += 1) expect((await send(ana, "GET", "/up")).status).toBe(200);

    await waitFor("the process to be started again", () => pidOf("web-1") !== killed, {
      withinMs: PROCESS_STARTS_WITHIN_MS,
    });
    await waitFor(
      "it to listen",
      () => ((product?.printed() ?? "").split("web-1 info listening").length > 2 ? true : null),
      { withinMs: PROCESS_STARTS_WITHIN_MS },
    );
    const back = await connectTo("web-1", ana);
    await back.follow(userChannel(ana.gid));
    expect(stays.closed).toBeNull();
    for (const client of [back, stays]) client.close();
  },
  SLOW_MS,
);

onLinux("a port that others share is refused too, before anything is started", async () => {
  const program = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    reusePort: true,
    fetch: () => new Response("another program"),
  });
  for (const port of [program.port, Number(new URL(origin).port)]) {
    const other = makeDataFolder();
    const refused = startProduct(other.dataDir, { ...shared, PORT: String(port) });
    expect(await refused.exited).toBe(1);
    expect(refused.printed()).toContain(`127.0.0.1:${port} is taken`);
    expect(childrenOf(refused.pid)).toEqual([]);
    other.remove();
  }
  await program.stop(true);
});

onLinux(
  "a stop disconnects the sockets of all web processes, and leaves no process behind",
  async () => {
    const ana = await signedInPlayer();
    const clients = [await connectTo("web-1", ana), await connectTo("web-2", ana)];
    const stillRunning = rememberProcesses(["web-1", "web-2", "worker"].map(pidOf));
    product?.kill("SIGINT");
    expect(await product?.exited).toBe(0);
    for (const client of clients)
      expect(client.ofType("disconnect")).toEqual([
        { type: "disconnect", reason: "server_restart", reconnect: true },
      ]);
    expect(stillRunning()).toEqual([]);
    expect(await deps.redis.ping()).toBe("PONG");
  },
  SLOW_MS,
);
