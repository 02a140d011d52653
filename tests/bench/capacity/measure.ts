import os from "node:os";
import { $ } from "bun";
import { buildEvent, buildSession } from "#tests/support/build.ts";
import { buildShow, type Show } from "../build-show.ts";
import { withSteal } from "../steal.ts";
import { waitForBroadcasts } from "../wait-for-broadcasts.ts";
import { measureCalls, measureSettled, warmUpCalls } from "./call-costs.ts";
import { buildPlayers, startCrowd } from "./crowd.ts";
import { each, measurePages, type Visits } from "./page-costs.ts";
import {
  checkpoint,
  databaseBytes,
  keptMemoryOf,
  memoryOf,
  type Product,
  spend,
  startWholeProduct,
  tableBytes,
  vacuum,
} from "./product.ts";
import { measureSocketMemory, measureSockets } from "./socket-costs.ts";
import type { Units } from "./units.ts";

const PLAYERS = 500;
/** What was built is in the files by then. */
const QUIET_AFTER_MS = 3_000;
/** The books are checked once a minute: this may be part of it or not. */
const IDLE_MS = 30_000;
const SESSIONS = 10;
const EVENTS_PER_SESSION = 10;
const VIEWERS = 50;
const SECONDS_PER_DAY = 86_400;

/** Says what is measured next. */
export type Print = (line: string) => void;
type Measured = Omit<Units, "machine" | "commit" | "measuredOn" | "stealShare">;

/** Measures all unit costs on this machine. It takes about three minutes. */
export async function measureUnits(print: Print): Promise<Units> {
  const { result, stealShare } = await withSteal(() => measureProduct(print));
  const memoryGb = Math.round(os.totalmem() / 1024 ** 3);
  const cpu = os.cpus()[0]?.model.trim() ?? "unknown";
  return {
    machine: `${os.availableParallelism()} cores (${cpu}), ${memoryGb} GB, ${os.type()} ${os.release()}, Bun ${Bun.version}`,
    commit: (await $`git describe --always --dirty`.nothrow().quiet().text()).trim(),
    measuredOn: new Date().toISOString().slice(0, 10),
    stealShare,
    ...result,
  };
}

async function measureProduct(print: Print): Promise<Measured> {
  const product = await startWholeProduct();
  const crowd = startCrowd(product);
  try {
    print("A show and its players are built.");
    const show = await buildShow(product.deps);
    const { players, ...sizes } = await measureRows(product);
    await waitForBroadcasts(product.deps);
    print("The code is compiled, then nothing happens.");
    await warmUpCalls({ product, show, players, crowd });
    await vacuum(product);
    await Bun.sleep(QUIET_AFTER_MS);
    const quiet = await spend(product, () => Bun.sleep(IDLE_MS));
    const idle = each(quiet.cpu, quiet.seconds);
    await checkpoint(product);
    const scene = { product, show, players, crowd, idle };
    print("Pages.");
    const pages = await measurePages(product, visitsOf(show), idle);
    print("Sockets and messages.");
    const sockets = await measureSockets(scene);
    print("Calls and results.");
    const calls = await measureCalls(scene, sockets);
    const settled = await measureSettled(scene, sockets);
    const { pids } = product;
    return {
      idle,
      ...pages,
      firstVisitBytes: await firstVisitBytes(product, show),
      ...sockets,
      ...calls,
      ...settled,
      ...sizes,
      entryBytes: await measureEntry(product),
      idleDay: { walBytes: (quiet.walBytes / quiet.seconds) * SECONDS_PER_DAY, diskBytes: 0 },
      memory: {
        webBytes: await keptMemoryOf(pids.web),
        workerBytes: memoryOf(pids.worker),
        postgresBytes: memoryOf(pids.postgres),
        redisBytes: memoryOf(pids.redis),
        socketBytes: await measureSocketMemory(scene),
      },
    };
  } finally {
    await crowd.stop();
    await product.stop();
  }
}

/** The bytes of an entry with its indexes. */
async function measureEntry(product: Product): Promise<number> {
  const bytes = (await tableBytes(product)).get("entries") ?? Number.NaN;
  const [row]: { count: string }[] = await product.deps.pool.sql`SELECT count(*) AS count FROM entries`;
  return bytes / Number(row?.count);
}

/** Builds players and sessions. @returns the players, and the bytes of each. */
async function measureRows(product: Product) {
  const disk = [await databaseBytes(product)];
  const { walBytes: sessionsWal } = await spend(product, () => buildSessions(product));
  disk.push(await databaseBytes(product));
  const built: Awaited<ReturnType<typeof buildPlayers>> = [];
  const { walBytes: playersWal } = await spend(product, async () => {
    built.push(...(await buildPlayers(product, PLAYERS)));
  });
  disk.push(await databaseBytes(product));
  const [before = 0, between = 0, after = 0] = disk;
  return {
    players: built,
    session: { walBytes: sessionsWal / SESSIONS, diskBytes: (between - before) / SESSIONS },
    player: { walBytes: playersWal / PLAYERS, diskBytes: (after - between) / PLAYERS },
  };
}

async function buildSessions({ deps }: Product): Promise<void> {
  for (let count = 0; count < SESSIONS; count += 1) {
    const { id: sessionId } = await buildSession(deps);
    for (let event = 0; event < EVENTS_PER_SESSION; event += 1)
      await buildEvent(deps, "draft", { sessionId, startMode: "offset", offsetSeconds: 3_600 });
  }
}

function visitsOf({ session, viewers }: Show): Visits {
  const to = (path: string) =>
    viewers.slice(0, VIEWERS).map(({ headers, shows }) => ({ path, headers, contains: shows }));
  return {
    action: to(`/sessions/${session.slug}`),
    history: to(`/sessions/${session.slug}/history`),
    wallet: to("/profile/wallet"),
    leaderboard: to(`/sessions/${session.slug}/leaders`),
  };
}

/** The files that the page of a first visit names, compressed. */
async function firstVisitBytes({ web }: Product, { session, viewers }: Show): Promise<number> {
  const page = await fetch(`${web.origin}/sessions/${session.slug}`, { headers: viewers[0]?.headers ?? {} });
  const files = new Set((await page.text()).match(/\/assets\/[\w./-]+/g));
  const sizes = [...files].map(async (file) => {
    const answer = await fetch(`${web.origin}${file}`, {
      headers: { "accept-encoding": "br" },
      decompress: false,
    });
    return (await answer.arrayBuffer()).byteLength;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
