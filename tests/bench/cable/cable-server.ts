import * as v from "valibot";
import { connect } from "#db/client.ts";
import { createHub } from "#src/live/cable/hub.ts";
import { createServer } from "#src/server.ts";
import { readEnv } from "#src/settings/env.ts";
import { connectDeps } from "#tests/support/connect-deps.ts";

// One server of the cable bench, in its own process: bun tests/bench/cable/cable-server.ts <kind>. The parent process sends
// it the texts to broadcast, and requests its CPU time and memory.

export const serverKinds = ["bare Bun", "called-it"] as const;
export type ServerKind = (typeof serverKinds)[number];
type RunningServer = { port: number; broadcast: (text: string) => void };

const commandSchema = v.variant("command", [
  v.object({ command: v.literal("broadcast"), text: v.string() }),
  v.object({ command: v.literal("measure"), memory: v.boolean() }),
]);
export type Measured = { cpuMs: number; memoryBytes: number };

/** So long the memory of a garbage collection takes to return to the system. */
const RETURNED_MS = 1_000;
/** Disables pings, so that only the measured messages are sent. */
const NEVER_MS = 3_600_000;
const HOST = { hostname: "127.0.0.1", port: 0 };

function startBare(): RunningServer {
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
  return { port: server.port ?? 0, broadcast: (text) => server.publish("all", text) };
}

/** The web process without its sweep and its relay, whose CPU time would be counted too. */
async function startCalledIt(): Promise<RunningServer> {
  const env = readEnv();
  const deps = await connectDeps(env, connect(env.databaseUrl));
  const app = createServer(deps, { hub: createHub(deps, { pingMs: NEVER_MS, probeMs: NEVER_MS }) });
  app.listen({ ...HOST, reusePort: false });
  return { port: app.server?.port ?? 0, broadcast: () => undefined };
}

const starters: Record<ServerKind, () => RunningServer | Promise<RunningServer>> = {
  "bare Bun": startBare,
  "called-it": startCalledIt,
};

async function collectGarbage(): Promise<void> {
  Bun.gc(true);
  await Bun.sleep(RETURNED_MS);
  Bun.gc(true);
}

if (import.meta.main) {
  const kind = v.parse(v.picklist(serverKinds), process.argv[2]);
  const { port, broadcast } = await starters[kind]();
  const handle = async (message: unknown) => {
    const command = v.parse(commandSchema, message);
    if (command.command === "broadcast") broadcast(command.text);
    else {
      const { user, system } = process.cpuUsage();
      // After the CPU time is read, because a garbage collection is not part of a delivery.
      if (command.memory) await collectGarbage();
      process.send?.({ cpuMs: (user + system) / 1_000, memoryBytes: process.memoryUsage.rss() });
    }
  };
  process.on("message", (message) => void handle(message));
  process.send?.({ port });
}
