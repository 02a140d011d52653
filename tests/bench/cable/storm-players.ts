import * as v from "valibot";
import { Device } from "../show/device.ts";

// A process with many players of one session: bun tests/bench/cable/storm-players.ts. Each follows the session and their own stream.
// In a storm all of them lose their socket, connect again at the same moment, and ask what they have missed.

/** Connecting for the first time, so many at once. */
const AT_ONCE = 64;
/** Until the server has noticed that its clients are gone. */
const LEFT_MS = 2_000;

const command = v.variant("command", [
  v.object({
    command: v.literal("open"),
    port: v.number(),
    session: v.string(),
    players: v.array(v.object({ gid: v.string(), cookie: v.string() })),
  }),
  v.object({ command: v.literal("storm"), withinMs: v.number() }),
]);

export const stormReport = v.object({
  /** How long each player took until they had all that they had missed, from the moment at which they connected. */
  liveMs: v.array(v.number()),
  /** From the beginning of the storm until the last one was back. */
  allMs: v.number(),
});
export type StormReport = v.InferOutput<typeof stormReport>;

const devices: Device[] = [];

async function open(asked: v.InferOutput<typeof command> & { command: "open" }): Promise<void> {
  const { port, session, players } = asked;
  for (const { gid, cookie } of players) {
    const identifiers = [JSON.stringify({ channel: "UserChannel", id: gid }), session];
    devices.push(new Device({ port, cookie, address: "127.0.0.1", identifiers, hear: () => undefined }));
  }
  const waiting = [...devices];
  const connectNext = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await next.connect();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, connectNext));
}

async function storm(withinMs: number): Promise<StormReport> {
  for (const device of devices) device.leave();
  await Bun.sleep(LEFT_MS);
  process.send?.("begins");
  const startedAt = performance.now();
  const liveMs = await Promise.all(
    devices.map(async (device, index) => {
      if (withinMs > 0) await Bun.sleep((withinMs * index) / devices.length);
      const connectedAt = performance.now();
      await device.connect();
      return performance.now() - connectedAt;
    }),
  );
  return { liveMs, allMs: performance.now() - startedAt };
}

if (import.meta.main) {
  process.on("message", (message) => {
    const asked = v.parse(command, message);
    const done = asked.command === "storm" ? storm(asked.withinMs) : open(asked).then(() => "open");
    void done.then((report) => process.send?.(report));
  });
}
