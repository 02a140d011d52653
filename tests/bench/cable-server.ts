import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { Server as SocketIo } from "socket.io";
import * as v from "valibot";
import { WebSocketServer } from "ws";
import { createHub } from "#src/cable/hub.ts";
import { createServer } from "#src/server.ts";
import { openDeps } from "./open-deps.ts";

// One server of the cable's bench, in a process of its own: bun tests/bench/cable-server.ts <kind>. Whoever has started it
// tells it what to publish, and asks what that cost.

export const serverKinds = ["bare Bun", "ws", "socket.io", "called-it"] as const;
export type ServerKind = (typeof serverKinds)[number];
type Standing = { port: number; publish: (text: string) => void };

const told = v.variant("do", [
  v.object({ do: v.literal("publish"), texts: v.array(v.string()) }),
  v.object({ do: v.literal("measure"), memory: v.boolean() }),
]);
export type Measured = { cpuMs: number; memoryBytes: number };

/** Nothing but what is measured is to be sent. */
const NEVER_MS = 3_600_000;
const HOST = { hostname: "127.0.0.1", port: 0 };

function standBare(): Standing {
  const server = Bun.serve({
    ...HOST,
    fetch: (request, self) => (self.upgrade(request) ? undefined : new Response(null, { status: 404 })),
    websocket: {
      open: (socket) => {
        socket.subscribe("all");
        socket.send("ready");
      },
      message: () => undefined,
    },
  });
  return { port: server.port ?? 0, publish: (text) => server.publish("all", text) };
}

async function standWs(): Promise<Standing> {
  const http = createHttpServer();
  const server = new WebSocketServer({ server: http, perMessageDeflate: false });
  server.on("connection", (socket) => socket.send("ready"));
  return {
    port: await listen(http),
    publish: (text) => {
      for (const client of server.clients) client.send(text);
    },
  };
}

async function standSocketIo(): Promise<Standing> {
  const http = createHttpServer();
  const io = new SocketIo(http, { transports: ["websocket"], pingInterval: NEVER_MS });
  io.on("connection", (socket) => socket.emit("ready"));
  return { port: await listen(http), publish: (text) => io.emit("m", text) };
}

async function listen(http: HttpServer): Promise<number> {
  await new Promise<void>((resolve) => http.listen(0, HOST.hostname, resolve));
  const address = http.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Only what a socket needs of the web process: no sweep and no relay, which would be counted too. */
async function standOurs(): Promise<Standing> {
  const deps = await openDeps();
  const app = createServer(deps, { hub: createHub(deps, { pingMs: NEVER_MS, probeMs: NEVER_MS }) });
  app.listen({ ...HOST, reusePort: false });
  return { port: app.server?.port ?? 0, publish: () => undefined };
}

const stands: Record<ServerKind, () => Standing | Promise<Standing>> = {
  "bare Bun": standBare,
  ws: standWs,
  "socket.io": standSocketIo,
  "called-it": standOurs,
};

if (import.meta.main) {
  const kind = v.parse(v.picklist(serverKinds), process.argv[2]);
  const { port, publish } = await stands[kind]();
  process.on("message", (message) => {
    const order = v.parse(told, message);
    if (order.do === "publish") for (const text of order.texts) publish(text);
    else {
      const { user, system } = process.cpuUsage();
      // After the clock was read: a larger process has more to collect, which is not the price of a delivery.
      if (order.memory) Bun.gc(true);
      process.send?.({ cpuMs: (user + system) / 1_000, memoryBytes: process.memoryUsage.rss() });
    }
  });
  process.send?.({ port });
}
