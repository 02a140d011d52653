import * as v from "valibot";
import { handshakeHead, maskedFrame } from "./cable-clients.ts";
import { PONG, takeFrames } from "./take-frames.ts";

// A process with many players of one session: bun tests/bench/cable/storm-players.ts. Each follows the session and their own stream.
// In a storm all of them lose their socket, connect again at the same moment, and ask what they have missed.

/** Connecting for the first time, so many at once. */
const AT_ONCE = 64;
/** Until the server has noticed that its clients are gone. */
const LEFT_MS = 2_000;

const place = v.object({ epoch: v.string(), offset: v.number() });
type Place = v.InferOutput<typeof place>;
const frameSchema = v.looseObject({
  identifier: v.optional(v.string()),
  type: v.optional(v.string()),
  message: v.optional(v.unknown()),
});
/** The last answer to `since`. */
const placeMessage = v.union([
  v.pipe(
    v.object({ caughtUp: place }),
    v.transform(({ caughtUp }) => caughtUp),
  ),
  v.pipe(
    v.object({ gap: v.literal(true), ...place.entries }),
    v.transform(({ epoch, offset }) => ({ epoch, offset })),
  ),
]);

const command = v.variant("command", [
  v.object({
    command: v.literal("open"),
    port: v.number(),
    session: v.string(),
    players: v.array(v.object({ gid: v.string(), cookie: v.string() })),
  }),
  v.object({ command: v.literal("storm"), withinMs: v.number() }),
  v.object({ command: v.literal("counts") }),
]);

export const countsReport = v.object({
  bytes: v.number(),
  /** Of it, the frames of their own streams and of the session's. */
  ownBytes: v.number(),
  sessionBytes: v.number(),
});
/** What all players have received so far. */
export type Counts = v.InferOutput<typeof countsReport>;
const counts: Counts = { bytes: 0, ownBytes: 0, sessionBytes: 0 };

export const stormReport = v.object({
  /** How long each player took until they had all that they had missed, from the moment at which they connected. */
  liveMs: v.array(v.number()),
  /** From the beginning of the storm until the last one was back. */
  allMs: v.number(),
});
export type StormReport = v.InferOutput<typeof stormReport>;

class Player {
  readonly #head: string;
  readonly #port: number;
  /** Where the player is in each stream, by the identifier of its channel; null before it is known. */
  readonly #places: Map<string, Place | null>;
  #socket: Bun.Socket | null = null;

  constructor(port: number, cookie: string, channels: readonly string[]) {
    this.#port = port;
    this.#head = handshakeHead("/cable", port, cookie);
    this.#places = new Map(channels.map((channel) => [channel, null]));
  }

  /** Resolves when the player has all that was missed. @returns how long that took. */
  async connect(): Promise<number> {
    const startedAt = performance.now();
    const { promise: live, resolve, reject } = Promise.withResolvers<void>();
    const behind = new Set(this.#places.keys());
    let unread = "";
    let head = "";
    this.#socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: this.#port,
      socket: {
        data: (socket, data) => {
          counts.bytes += data.length;
          unread += data.toString("latin1");
          if (unread.startsWith("HTTP/")) {
            const end = unread.indexOf("\r\n\r\n");
            if (end < 0) return;
            head = unread.slice(0, end);
            unread = unread.slice(end + 4);
            for (const channel of this.#places.keys())
              socket.write(maskedFrame(JSON.stringify({ command: "subscribe", identifier: channel })));
          }
          unread = takeFrames(unread, {
            text: (text) => this.#receive(socket, text, behind),
            ping: () => socket.write(PONG),
          });
          if (behind.size === 0) resolve();
        },
        close: () => reject(new Error(`a socket was closed: ${head}`)),
        error: () => undefined,
      },
    });
    this.#socket.write(this.#head);
    await live;
    return performance.now() - startedAt;
  }

  leave(): void {
    this.#socket?.terminate();
  }

  #receive(socket: Bun.Socket, text: string, behind: Set<string>): void {
    const { identifier = "", type, message } = v.parse(frameSchema, JSON.parse(text));
    if (identifier.includes("UserChannel")) counts.ownBytes += text.length;
    if (identifier.includes("SessionsChannel")) counts.sessionBytes += text.length;
    if (type === "confirm_subscription") {
      const data = JSON.stringify({ action: "since", ...this.#places.get(identifier) });
      socket.write(maskedFrame(JSON.stringify({ command: "message", identifier, data })));
      return;
    }
    const at = v.safeParse(placeMessage, message);
    if (!at.success) return;
    this.#places.set(identifier, at.output);
    behind.delete(identifier);
  }
}

const players: Player[] = [];

async function open({
  port,
  session,
  players: signedIn,
}: v.InferOutput<typeof command> & { command: "open" }) {
  for (const { gid, cookie } of signedIn) {
    const user = JSON.stringify({ channel: "UserChannel", id: gid });
    players.push(new Player(port, cookie, [user, session]));
  }
  const waiting = [...players];
  const connectNext = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await next.connect();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, connectNext));
}

async function storm(withinMs: number): Promise<StormReport> {
  for (const player of players) player.leave();
  await Bun.sleep(LEFT_MS);
  process.send?.("begins");
  const startedAt = performance.now();
  const liveMs = await Promise.all(
    players.map(async (player, index) => {
      if (withinMs > 0) await Bun.sleep((withinMs * index) / players.length);
      return player.connect();
    }),
  );
  return { liveMs, allMs: performance.now() - startedAt };
}

async function perform(asked: v.InferOutput<typeof command>): Promise<StormReport | Counts | "open"> {
  if (asked.command === "counts") return counts;
  if (asked.command === "storm") return storm(asked.withinMs);
  await open(asked);
  return "open";
}

if (import.meta.main) {
  process.on("message", (message) => {
    const parsed = v.parse(command, message);
    void perform(parsed).then((report) => process.send?.(report));
  });
}
