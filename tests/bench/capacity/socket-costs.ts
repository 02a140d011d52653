import { broadcast, sessionStream } from "#src/streams/broadcast.ts";
import { signInMany } from "../cable/sign-in-many.ts";
import { Subject } from "../cable/subject.ts";
import { each } from "./page-costs.ts";
import { spend } from "./product.ts";
import type { Scene } from "./scene.ts";
import { onlyOf, type Units } from "./units.ts";

const IDLE_MS = 8_000;
const MESSAGES = { perSecond: 20, seconds: 6 };
/** A pool message of a few calls is about as long. */
const MESSAGE_BYTES = 600;
/** For the memory of a socket, on a server without anything else. */
const MEMORY_SOCKETS = 2_000;
/** What the measurement itself does in a web process is in these too: presence is counted after a connect. */
const SETTLED_MS = 2_500;

export type SocketUnits = Pick<Units, "connect" | "socketSecond" | "delivery">;

/** Connects all players, and measures a connect, a socket that nothing is sent to, and a message to one socket. */
export async function measureSockets({ product, show, players, crowd, idle }: Scene): Promise<SocketUnits> {
  const sockets = players.length;
  const opened = await spend(product, async () => {
    await crowd.open(players, show.session.id);
    await Bun.sleep(SETTLED_MS);
  });
  const connect = onlyOf(each(opened.cpu, sockets, [idle, opened.seconds]), ["web", "postgres", "redis"]);
  const quietBefore = await crowd.counts();
  const quiet = await spend(product, () => Bun.sleep(IDLE_MS));
  const quietBytes = (await crowd.counts()).bytes - quietBefore.bytes;
  const socketSeconds = sockets * quiet.seconds;
  const socketSecond = {
    cpu: onlyOf(each(quiet.cpu, socketSeconds, [idle, quiet.seconds]), ["web"]),
    bytes: quietBytes / socketSeconds,
  };
  const sent = await spend(product, () => sendSteadily(product.deps.redis, show.session.id));
  const deliveries = MESSAGES.perSecond * MESSAGES.seconds * sockets;
  return {
    connect,
    socketSecond,
    delivery: onlyOf(
      each(sent.cpu, deliveries, [idle, sent.seconds], [socketSecond.cpu, sockets * sent.seconds]),
      ["web", "redis"],
    ),
  };
}

async function sendSteadily(redis: Scene["product"]["deps"]["redis"], sessionId: number): Promise<void> {
  const message = {
    stream: sessionStream(sessionId),
    text: JSON.stringify({ sourceType: "Filler", text: "x".repeat(MESSAGE_BYTES) }),
  };
  const startedAt = performance.now();
  for (let sent = 0; sent < MESSAGES.perSecond * MESSAGES.seconds; sent += 1) {
    await broadcast(redis, [message]);
    await Bun.sleep(Math.max(0, startedAt + ((sent + 1) * 1_000) / MESSAGES.perSecond - performance.now()));
  }
}

/** The memory of a socket, after a garbage collection. */
export async function measureSocketMemory({ product: { deps }, show }: Scene): Promise<number> {
  const cookies = (await signInMany(deps, MEMORY_SOCKETS, { prefix: "memory" })).map(({ cookie }) => cookie);
  const subject = new Subject("called-it", deps, {
    broadcast: () => Promise.resolve([]),
    cookies,
    identifier: JSON.stringify({ channel: "SessionsChannel", id: show.session.id }),
  });
  try {
    const before = await subject.memoryBytes();
    await subject.open(MEMORY_SOCKETS);
    return ((await subject.memoryBytes()) - before) / MEMORY_SOCKETS;
  } finally {
    subject.close();
  }
}
