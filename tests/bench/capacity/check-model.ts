import { buildShow, type Show } from "../build-show.ts";
import { warmUpCalls } from "./call-costs.ts";
import { buildPlayers, type Crowd, type Player, startCrowd } from "./crowd.ts";
import { loadOf, type Traffic } from "./load.ts";
import type { Print } from "./measure.ts";
import { openPages, warmUpPages } from "./page-costs.ts";
import { finish, messagesOf, type OpenEvent, openNext, placeCalls } from "./play.ts";
import {
  checkpoint,
  keptMemoryOf,
  type Product,
  spend,
  type Spent,
  startWholeProduct,
  vacuum,
} from "./product.ts";
import type { Checked } from "./stored.ts";
import { parts, type Units } from "./units.ts";

const SIZES = [200, 1_000];
const ARRIVAL_SECONDS = 12;
const EVENTS = 3;
const OPEN_SECONDS = 8;
/** Of the players, while an event is open. */
const PAGES_SHARE = 0.25;
/** How far the model may be from what was measured. */
const TOLERANCE = 0.25;
const MIB = 1_048_576;

/** True if the model is within 25 % of what was measured. */
export function isClose({ model, measured }: Checked): boolean {
  return Math.abs(model - measured) <= TOLERANCE * measured;
}

/** Plays a show with 200 and with 1,000 players on the whole product, and asks the model for the same. About two minutes. */
export async function checkModel(units: Units, print: Print): Promise<Checked[]> {
  const product = await startWholeProduct();
  try {
    const show = await buildShow(product.deps);
    const warm = startCrowd(product);
    await warmUpPages(product, show);
    await warmUpCalls({ product, show, players: await buildPlayers(product, 100), crowd: warm });
    await warm.stop();
    const checked: Checked[] = [];
    for (const size of SIZES) {
      print(`A show with ${size} players.`);
      const players = await buildPlayers(product, size);
      await callOnce(product, show, players);
      await vacuum(product);
      await checkpoint(product);
      const crowd = startCrowd(product);
      checked.push(...(await checkSize({ product, show, players, crowd }, units)));
      await crowd.stop();
      await Bun.sleep(2_000);
    }
    return checked;
  } finally {
    await product.stop();
  }
}

/** Each player calls once: the first call in a session also registers the player there. */
async function callOnce(product: Product, { session }: Show, players: readonly Player[]): Promise<void> {
  const event = await openNext(product, session.id);
  await placeCalls(product, { event, players }, { perSecond: 200, seconds: players.length / 200 });
  await finish(product, event);
}

type Scene = { product: Product; show: Show; players: Player[]; crowd: Crowd };
/** A part of the show: what was spent, and its traffic. */
type Played = { spent: Spent; traffic: Traffic };

async function checkSize(scene: Scene, units: Units): Promise<Checked[]> {
  const { product, show, players, crowd } = scene;
  const messages = await messagesOf(product, show.session.id);
  const sent = { bytes: 0 };
  const played = [await arrive(scene, sent)];
  for (let count = 0; count < EVENTS; count += 1) {
    const [event, open] = await playOpen(scene, sent);
    played.push(open, await playResult(scene, event));
  }
  const modelled = played.map(({ spent, traffic }) => {
    const load = loadOf(units, traffic, { mix: { action: 1 } });
    return { load, seconds: spent.seconds };
  });
  const sum = (figure: (load: ReturnType<typeof loadOf>) => number) =>
    modelled.reduce((total, { load, seconds }) => total + figure(load) * seconds, 0);
  const total = (figure: (spent: Spent) => number) =>
    played.reduce((all, { spent }) => all + figure(spent), 0);
  const { memory } = units;
  const line = (what: string, unit: string, [model, measured]: readonly [number, number]): Checked => ({
    players: players.length,
    what,
    unit,
    model,
    measured,
  });
  const cpuLines = parts.map((part) =>
    line(`CPU of ${part}`, "s", [sum(({ cores }) => cores[part]), total(({ cpu }) => cpu[part]) / 1e6]),
  );
  const measuredMessages = (await messagesOf(product, show.session.id)) - messages;
  const webBytes = await keptMemoryOf(product.pids.web);
  const measuredBytes = (await crowd.counts()).bytes + sent.bytes;
  return [
    ...cpuLines,
    line("messages of the session", "", [sum((load) => load.messages), measuredMessages]),
    line("sent", "MB", [sum(({ sentBytes }) => sentBytes) / 1e6, measuredBytes / 1e6]),
    line("log of Postgres", "MB", [
      sum(({ walBytes }) => walBytes) / 1e6,
      total(({ walBytes }) => walBytes) / 1e6,
    ]),
    line("memory of the web process", "MiB", [
      (memory.webBytes + players.length * memory.socketBytes) / MIB,
      webBytes / MIB,
    ]),
  ];
}

const quiet: Traffic = { pages: 0, connects: 0, sockets: 0, calls: 0, settled: 0, events: 0 };

function visitsOf({ show, players }: Scene) {
  return players.map(({ credentials }) => ({
    path: `/sessions/${show.session.slug}`,
    headers: { accept: "text/html", cookie: credentials["cookie"] ?? "" },
    contains: [],
  }));
}

/** All players open the page, and connect. */
async function arrive(scene: Scene, sent: { bytes: number }): Promise<Played> {
  const { product, show, players, crowd } = scene;
  const perSecond = players.length / ARRIVAL_SECONDS;
  const spent = await spend(product, async () => {
    const opened = crowd.open(players, show.session.id);
    sent.bytes += await openPages(product.web.origin, visitsOf(scene), {
      perSecond,
      seconds: ARRIVAL_SECONDS,
    });
    await opened;
  });
  const rate = players.length / spent.seconds;
  return { spent, traffic: { ...quiet, pages: rate, connects: rate, sockets: players.length } };
}

/** An event takes a call of each player, and some of them open the page. */
async function playOpen(scene: Scene, sent: { bytes: number }): Promise<[OpenEvent, Played]> {
  const { product, show, players } = scene;
  const event = await openNext(product, show.session.id);
  const perSecond = players.length / OPEN_SECONDS;
  const spent = await spend(product, async () => {
    const [pages, answers] = await Promise.all([
      openPages(product.web.origin, visitsOf(scene), {
        perSecond: perSecond * PAGES_SHARE,
        seconds: OPEN_SECONDS,
      }),
      placeCalls(product, { event, players }, { perSecond, seconds: OPEN_SECONDS }),
    ]);
    sent.bytes += pages + answers;
  });
  const calls = players.length / spent.seconds;
  return [
    event,
    { spent, traffic: { ...quiet, sockets: players.length, calls, pages: calls * PAGES_SHARE } },
  ];
}

async function playResult({ product, players }: Scene, event: OpenEvent): Promise<Played> {
  const spent = await spend(product, () => finish(product, event));
  const { seconds } = spent;
  return {
    spent,
    traffic: {
      ...quiet,
      sockets: players.length,
      settled: players.length / seconds,
      events: 1 / seconds,
    },
  };
}
