import { type Client, placeByHttp, placeForRound } from "../placing.ts";
import { each } from "./page-costs.ts";
import { finish, messagesOf, openNext, placeCalls, untilBroadcast } from "./play.ts";
import { databaseBytes, type Product, spend, type Spent } from "./product.ts";
import type { Scene } from "./scene.ts";
import type { SocketUnits } from "./socket-costs.ts";
import { type Cpu, onlyOf, type Part, sumCpu, type Units, withoutCpu } from "./units.ts";

/** Calls a second, and for how long. */
const RATES = [
  { perSecond: 20, seconds: 10 },
  { perSecond: 100, seconds: 10 },
];
const LANES = 64;
const FULL_ROUNDS = 2;
const EMPTY_EVENTS = 4;
const PAID_EVENTS = 3;
/** No worker takes part in a call. */
const PLACING: Part[] = ["web", "relay", "postgres", "redis"];

/** What some work took without what is known: idle processes, idle sockets, and messages of the session. */
type Net = Spent & { messages: number; messageBytes: number; diskBytes: number; ownBytes: number };

/** Does the work, and takes off what sockets and the session's messages took meanwhile. */
async function spendNet(scene: Scene, sockets: SocketUnits, work: () => Promise<unknown>): Promise<Net> {
  const { product, show, players, crowd, idle } = scene;
  const before = {
    counts: await crowd.counts(),
    messages: await messagesOf(product, show.session.id),
    disk: await databaseBytes(product),
  };
  const spent = await spend(product, work);
  const messages = (await messagesOf(product, show.session.id)) - before.messages;
  const socketSeconds = players.length * spent.seconds;
  const deliveries = messages * players.length;
  const counts = await crowd.counts();
  return {
    ...spent,
    messages,
    cpu: each(
      spent.cpu,
      1,
      [idle, spent.seconds],
      [sockets.socketSecond.cpu, socketSeconds],
      [sockets.delivery, deliveries],
    ),
    diskBytes: (await databaseBytes(product)) - before.disk,
    messageBytes: (counts.sessionBytes - before.counts.sessionBytes) / Math.max(1, deliveries),
    ownBytes: counts.ownBytes - before.counts.ownBytes,
  };
}

/** Compiles the code that places calls. */
export async function warmUpCalls(scene: Omit<Scene, "idle">): Promise<void> {
  const { product, show } = scene;
  const event = await openNext(product, show.session.id);
  await placeAtFullLoad(scene, event.spotIds);
  await finish(product, event);
}

/** Measures a call at several rates, up to full load. The players have sockets. */
export async function measureCalls(scene: Scene, sockets: SocketUnits): Promise<Pick<Units, "call">> {
  const { product, show, players } = scene;
  const event = await openNext(product, show.session.id);
  await untilBroadcast(product);
  const curve: Units["call"]["curve"] = [];
  const sizes = { calls: 0, bytes: 0, answered: 0, walBytes: 0, diskBytes: 0, poolBytes: 0 };
  for (const { perSecond, seconds } of RATES) {
    const count = perSecond * seconds;
    const net = await spendNet(scene, sockets, async () => {
      sizes.answered += await placeCalls(product, { event, players }, { perSecond, seconds });
      await untilBroadcast(product);
    });
    curve.push({ perSecond, cpu: onlyOf(each(net.cpu, count), PLACING) });
    sizes.calls += count;
    sizes.bytes += net.ownBytes;
    sizes.walBytes += net.walBytes;
    sizes.diskBytes += net.diskBytes;
    sizes.poolBytes = net.messageBytes;
  }
  let placed = { count: 0, seconds: 1 };
  const full = await spendNet(scene, sockets, async () => {
    placed = await placeAtFullLoad(scene, event.spotIds);
    await untilBroadcast(product);
  });
  curve.push({
    perSecond: placed.count / placed.seconds,
    cpu: onlyOf(each(full.cpu, placed.count), PLACING),
  });
  sizes.diskBytes += full.diskBytes;
  await finish(product, event);
  return {
    call: {
      curve,
      bytes: (sizes.bytes + sizes.answered) / sizes.calls,
      poolBytes: sizes.poolBytes,
      walBytes: sizes.walBytes / sizes.calls,
      diskBytes: sizes.diskBytes / (sizes.calls + placed.count),
    },
  };
}

async function placeAtFullLoad(
  { product, players }: Pick<Scene, "product" | "players">,
  spotIds: readonly number[],
): Promise<{ count: number; seconds: number }> {
  const clients = players.map(({ userId, credentials }, index): Client => ({
    userId,
    spotId: spotIds[index % 2] ?? Number.NaN,
    headers: credentials,
  }));
  let count = 0;
  const startedAt = performance.now();
  for (let round = 0; round < FULL_ROUNDS; round += 1) {
    const from = performance.now();
    const { perSecond } = await placeForRound({ clients, openLane: placeByHttp(product.web.origin) }, LANES);
    count += Math.round((perSecond * (performance.now() - from)) / 1_000);
  }
  return { count, seconds: (performance.now() - startedAt) / 1_000 };
}

/** Measures events without calls, and then what each call of an event adds to its result. */
export async function measureSettled(
  scene: Scene,
  sockets: SocketUnits,
): Promise<Pick<Units, "event" | "settled">> {
  const { product, show, players } = scene;
  const empty = await spendNet(scene, sockets, async () => {
    for (let count = 0; count < EMPTY_EVENTS; count += 1)
      await finish(product, await openNext(product, show.session.id));
  });
  const event = {
    cpu: each(empty.cpu, EMPTY_EVENTS),
    messages: empty.messages / EMPTY_EVENTS,
    messageBytes: empty.messageBytes,
    walBytes: empty.walBytes / EMPTY_EVENTS,
    diskBytes: empty.diskBytes / EMPTY_EVENTS,
  };
  const total = { cpu: [] as Cpu[], bytes: 0, walBytes: 0, diskBytes: 0 };
  for (let count = 0; count < PAID_EVENTS; count += 1) {
    const next = await openNext(product, show.session.id);
    await placeCalls(product, { event: next, players }, { perSecond: 200, seconds: players.length / 200 });
    await settleDown(product);
    const net = await spendNet(scene, sockets, () => finish(product, next));
    total.cpu.push(each(net.cpu, players.length));
    total.bytes += net.ownBytes;
    total.walBytes += net.walBytes;
    total.diskBytes += net.diskBytes;
  }
  const settledCalls = PAID_EVENTS * players.length;
  return {
    event,
    settled: {
      cpu: withoutCpu(sumCpu(total.cpu.map((cpu) => [cpu, 1 / PAID_EVENTS] as const)), [
        [event.cpu, 1 / players.length],
      ]),
      bytes: total.bytes / settledCalls,
      walBytes: Math.max(0, total.walBytes - PAID_EVENTS * event.walBytes) / settledCalls,
      diskBytes: Math.max(0, total.diskBytes - PAID_EVENTS * event.diskBytes) / settledCalls,
    },
  };
}

async function settleDown(product: Product): Promise<void> {
  await untilBroadcast(product);
  await Bun.sleep(500);
}
