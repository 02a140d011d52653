import { expect, setSystemTime, test } from "bun:test";
import { eq } from "drizzle-orm";
import { connect } from "#db/client.ts";
import { exclusions } from "#db/schema/exclusions.ts";
import { notifications } from "#db/schema/notifications.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { createRandom } from "#src/base/random.ts";
import { outcomeOf, payDecided, runUntil } from "#src/dry-runs/simulate/play-show.ts";
import { announce } from "#src/people/notifications/announce.ts";
import { markNotificationsRead } from "#src/people/notifications/find-notifications.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { excludePlayer, restorePlayer } from "#src/play/leaderboard/exclude-player.ts";
import { createServer } from "#src/server.ts";
import { ownVariables } from "#src/settings/env.ts";
import { findSession } from "#src/show/sessions/find-session.ts";
import { registerPlayer } from "#src/show/sessions/register-player.ts";
import {
  actOnEvent,
  actOnSession,
  addEvent,
  reorder,
  resolveAndUndo,
  startShow,
} from "#tests/simulator/act-as-admin.ts";
import { cancelSomeCall, placeCalls } from "#tests/simulator/act-as-player.ts";
import {
  buildWorld,
  type Environment,
  maybePayPart,
  openEnvironment,
  pick,
  record,
  tick,
  type World,
} from "#tests/simulator/world.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { payInParts } from "#tests/support/database.ts";
import { roundsOf } from "#tests/support/rounds.ts";
import type { Server } from "#tests/support/server.ts";
import { readApi, readsOf, readByQueries } from "./read-api.ts";
import { type Credentials, readByEndpoints, readPage } from "./read-page.ts";

const SEEDS = roundsOf({ daily: 5, many: 100 });
const STEPS = 10;
/** Of the steps. A comparison costs more than the step before it, and what one has missed the next ones see too. */
const COMPARED_SHARE = 0.5;
/** An announcement notifies every user, so a database is replaced before it has many. */
const SEEDS_PER_ENVIRONMENT = 20;

/** `SEED=123 bun test tests/pages/page-read` plays only that show. */
const { SEED } = ownVariables();
const seeds = SEED === undefined ? Array.from({ length: SEEDS }, (_, index) => index + 1) : [Number(SEED)];

/** A show, and two processes whose snapshots of it are apart. */
type Show = {
  world: World;
  processes: readonly Process[];
  credentials: Map<number, Credentials>;
  slug: string;
};
type Process = { deps: Deps; server: Server };

/** A test database, and the processes on it, whose Redis is that of the running show. */
type Servers = { environment: Environment; processes: readonly Process[]; running: { world: World | null } };

afterFile(() => setSystemTime());

test("in random shows each page and each read over the API is what the endpoints' own queries answer, in every process, with and without Redis", async () => {
  for (let from = 0; from < seeds.length; from += SEEDS_PER_ENVIRONMENT)
    await playBatch(seeds.slice(from, from + SEEDS_PER_ENVIRONMENT));
});

async function playBatch(batch: readonly number[]): Promise<void> {
  const environment = await openEnvironment();
  const otherPool = connect(environment.deps.env.databaseUrl, { poolSize: 2 });
  const running: Servers["running"] = { world: null };
  const processes = [environment.deps.pool, otherPool].map((pool) => {
    const deps: Deps = {
      ...environment.deps,
      pool,
      get redis() {
        return (running.world ?? environment).deps.redis;
      },
    };
    return { deps, server: createServer(deps) };
  });
  try {
    for (const seed of batch) await playShow({ environment, processes, running }, seed);
  } finally {
    await otherPool.close();
    await environment.close();
  }
}

async function playShow(servers: Servers, seed: number): Promise<void> {
  const { environment } = servers;
  const dice = createRandom(`page ${seed}`);
  const world = await buildWorld(environment, dice);
  const show = await openShow(servers, world);
  try {
    await startShow(world);
    for (let step = 0; step < STEPS; step += 1) {
      await pick(dice, steps)(show);
      await tick(world);
      await maybePayPart(world);
      if (dice.chance(COMPARED_SHARE)) await compare(show, pick(dice, show.processes));
    }
    world.queue.isDown = false;
    await payDecided(world);
    for (const process of show.processes) await compare(show, process);
  } catch (error) {
    throw new Error(`show ${seed} fails:\n${world.trace.slice(-20).join("\n")}`, { cause: error });
  }
  if (world.paysInParts) await payInParts(environment.deps.pool);
  await environment.finishAll();
}

async function openShow({ processes, running }: Servers, world: World): Promise<Show> {
  running.world = world;
  const session = await findSession(world.deps.pool.db, world.sessionIds[0] ?? 0);
  const credentials = new Map<number, Credentials>();
  for (const { id } of [...world.players, ...world.admins])
    credentials.set(id, await signInDirectly(world.deps, { id }));
  return { world, processes, credentials, slug: session?.slug ?? "" };
}

/** Compares the page of one player, and a read of any caller. Both ways are read at one moment of the stopped clock. */
async function compare(show: Show, process: Process): Promise<void> {
  setSystemTime(new Date(show.world.clock.nowMs()));
  try {
    await comparePages(show, process);
    await compareReads(show, process);
  } finally {
    setSystemTime();
  }
}

async function comparePages({ world, credentials, slug }: Show, { deps }: Process): Promise<void> {
  const { id } = pick(world.dice, world.players);
  const page = await readPage(deps, `/sessions/${slug}`, credentials.get(id) ?? {});
  const isThere = (await findSession(deps.pool.db, slug)) !== null;
  if (!isThere) expect(page).toMatchObject({ session: null, action: null });
  else expect(page).toEqual(await readByEndpoints(deps, id, slug));
}

async function compareReads({ world, credentials, slug }: Show, { server }: Process): Promise<void> {
  const { dice, players, admins } = world;
  const id = pick(dice, [...players, ...players, ...admins, { id: 0 }]).id;
  const caller = credentials.get(id) ?? {};
  for (const read of [pick(dice, readsOf(slug)), pick(dice, readsOf(slug))]) {
    const answer = await readApi(server, read.path, caller);
    expect({ read, answer }).toEqual({ read, answer: await readByQueries(server, read, caller) });
  }
}

type Step = (show: Show) => Promise<unknown>;

const fromSimulator =
  (step: (world: World) => Promise<void>): Step =>
  ({ world }) =>
    step(world);

/** Each step is chosen as often as it is listed. */
const steps: readonly Step[] = [
  ...Array.from({ length: 6 }, () => fromSimulator(placeCalls)),
  ...Array.from({ length: 6 }, () => fromSimulator(actOnEvent)),
  ...[cancelSomeCall, cancelSomeCall, resolveAndUndo, resolveAndUndo, actOnSession, addEvent, reorder].map(
    fromSimulator,
  ),
  ({ world }) => runUntil(world, world.clock.nowMs() + world.dice.between(500, 25_000)),
  ({ world }) => runUntil(world, world.clock.nowMs() + world.dice.between(500, 25_000)),
  join,
  rename,
  exclude,
  restore,
  notify,
  readNotifications,
  ({ world }) => {
    world.queue.isDown = !world.queue.isDown;
    return Promise.resolve();
  },
];

async function join({ world, slug }: Show): Promise<void> {
  const viewer = await findViewer(world.deps.pool.db, pick(world.dice, world.players).id);
  await outcomeOf(registerPlayer(world.deps, { slugOrId: slug, viewer }));
  record(world, "a player joins");
}

async function rename({ world: { deps, dice, players } }: Show): Promise<void> {
  const pictures = { default: "/a", thumb: "/a", small: "/a", medium: "/a", large: "/a", original: "/a" };
  const avatar = dice.chance(0.5) ? null : { revision: 1, signer: "x", blobIds: null, pictures };
  await deps.pool.db
    .update(users)
    .set({ username: `renamed_${crypto.randomUUID().slice(0, 8)}`, avatar })
    .where(eq(users.id, pick(dice, players).id));
}

async function exclude({ world, slug }: Show): Promise<void> {
  const { deps, dice, players, admins } = world;
  const actor = pick(dice, admins);
  const scope = dice.chance(0.7) ? { sessionId: slug } : {};
  await outcomeOf(
    excludePlayer(deps, { actor, userId: pick(dice, players).id, reason: "Unfair.", ...scope }),
  );
  record(world, "a player is excluded");
}

async function restore({ world }: Show): Promise<void> {
  const [exclusion] = await world.deps.pool.db.select().from(exclusions).limit(1);
  if (exclusion === undefined) return;
  await restorePlayer(world.deps, { actor: pick(world.dice, world.admins), exclusionId: exclusion.id });
  record(world, "a player is restored");
}

async function notify({ world: { deps, dice, admins } }: Show): Promise<void> {
  const actor = pick(dice, admins);
  await announce(deps, { actor, title: "Hello", body: "All." });
}

async function readNotifications({ world: { deps, dice, players } }: Show): Promise<void> {
  const { id: userId } = pick(dice, players);
  const [newest] = await deps.pool.db.select().from(notifications).where(eq(notifications.userId, userId));
  if (newest !== undefined) await markNotificationsRead(deps.pool.db, { userId, upToId: newest.id });
}
