import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { calls } from "#db/schema/calls.ts";
import { buildSignedIn } from "#tests/live/cable/cable-server.ts";
import { Client, sessionChannel } from "#tests/live/cable/client.ts";
import { startIllRedis } from "#tests/proofs/engines/ill-redis.ts";
import { figure } from "#tests/prove/figure.ts";
import { afterFile, startFileProduct } from "#tests/support/after-file.ts";
import { createSilentProxy } from "#tests/support/silent-proxy.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

// The whole product, a web process and a worker, on a Redis to which something happens. Whatever it is: an action opens, takes calls,
// closes on time and is paid; pages say how it is; a socket without news gets no pings, and /ready names it; afterwards all is heard.
/** An answer takes far less, also while Redis is silent. A machine whose host takes its CPU away may need much more. */
const ANSWERED_WITHIN_MS = 10_000;
const LATE_MAX_MS = 10_000;
/** All is back within 5 s, on a machine that does nothing else. */
const BACK_WITHIN_MS = 30_000;
const OPEN_S = 5;
/** Pings come every 3 s. */
const NO_PING_MS = 4_500;

const { deps, db, build, read, signIn } = await testWorld();
const ill = await startIllRedis();
afterFile(() => ill.stop());
const proxy = await createSilentProxy(ill.url.slice("unix:".length));
const product = startFileProduct({
  DATABASE_URL: deps.env.databaseUrl,
  REDIS_URL: `unix:${proxy.socket}`,
  SECRET_KEY: deps.env.secretKey,
  DEMO: "off",
});
const origin = await product.url;
const session = await build.runningSession();
const admin = await signIn(await build.admin());
const player = await signIn(await build.player());
const watcher = await buildSignedIn(deps);
const channel = sessionChannel(session.slug);

async function send(who: Record<string, string>, method: string, target: string, body?: unknown) {
  const startedAtMs = performance.now();
  const answer = await fetch(origin + target, {
    method,
    headers: { accept: "application/json", "content-type": "application/json", origin, ...who },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: "manual",
  });
  expect(performance.now() - startedAtMs).toBeLessThan(ANSWERED_WITHIN_MS);
  return answer;
}
const ready = v.object({ ready: v.boolean(), degraded: v.array(v.object({ what: v.string() })) });
const readReady = async () => v.parse(ready, await (await fetch(`${origin}/ready`)).json());

async function listen(): Promise<Client> {
  const client = new Client(`${origin.replace("http", "ws")}/cable`, { origin, cookie: watcher.cookie });
  await client.welcomed();
  await client.follow(channel);
  return client;
}
const CHANGES: readonly unknown[] = ["open_event", "close_event", "resolve"];
/**
 * The changes of an event that the socket has heard. What Redis took without being able to say so is broadcast again, with the event as it
 * is then, so repeats of one change count once.
 */
function heard(client: Client, eventId: number): unknown[] {
  const changes = client.messages(channel).flatMap(({ sourceType, eventType, detail }) => {
    const about = v.safeParse(v.object({ event: v.object({ id: v.literal(eventId) }) }), detail);
    return sourceType === "Event" && about.success && CHANGES.includes(eventType) ? [eventType] : [];
  });
  return changes.filter((change, index) => change !== changes[index - 1]);
}

/** Plays one action over HTTP: it opens, takes a call, is on the pages, closes on time and is paid. @returns its id. */
async function playAction(): Promise<number> {
  const { id } = await build.event("visible", { sessionId: session.id, durationSeconds: OPEN_S });
  const state = `/api/v1/events/${id}/state`;
  expect((await send(admin, "PATCH", state, { event: { state: "open" } })).status).toBe(200);
  const spotId = (await read.spots(id)).true.id;
  expect((await send(player, "POST", "/api/v1/calls", { call: { spot_id: spotId, wager: 1 } })).status).toBe(
    201,
  );
  const { title, closesAt } = await read.event(id);
  const page = await send({ ...player, accept: "text/html" }, "GET", `/sessions/${session.slug}`);
  expect([page.status, (await page.text()).includes(title)]).toEqual([200, true]);
  const closed = await waitFor("the close", async () => {
    const event = await read.event(id);
    return event.state === "closed" && event;
  });
  const lateMs = Number(closed.closedAt) - Number(closesAt);
  expect(lateMs).toBeWithin(0, LATE_MAX_MS);
  const resolving = { event: { state_event: "resolve", result: true } };
  expect((await send(admin, "PATCH", state, resolving)).status).toBe(200);
  const resolvedAtMs = performance.now();
  await waitFor("the payment", async () => {
    const [call] = await db.select().from(calls).where(eq(calls.eventId, id));
    return call?.state === "resolved";
  });
  const paidAfterMs = performance.now() - resolvedAtMs;
  expect(paidAfterMs).toBeLessThan(LATE_MAX_MS);
  figure(`  closed ${Math.round(lateMs)} ms late, paid after ${Math.round(paidAfterMs)} ms`);
  return id;
}

/** `silent`: nothing can be heard meanwhile, and `/ready` says so with one of these words. Otherwise the show is heard meanwhile. */
type Illness = { what: string; begin: () => unknown; end: () => unknown; silent?: readonly string[] };
const setMemory = (bytes: string) => ill.command("CONFIG", "SET", "maxmemory", bytes);
const illnesses: readonly Illness[] = [
  {
    what: "its memory is full",
    begin: () => setMemory("1"),
    end: () => setMemory("0"),
    silent: ["broadcasts stuck", "redis refuses"],
  },
  {
    what: "it is a replica that takes no writes",
    begin: () => ill.command("REPLICAOF", "127.0.0.1", "1"),
    end: () => ill.command("REPLICAOF", "NO", "ONE"),
    silent: ["broadcasts stuck", "redis refuses"],
  },
  {
    what: "its disk is full",
    begin: () => ill.fillDisk(),
    end: () => ill.emptyDisk(),
    silent: ["broadcasts stuck", "redis refuses"],
  },
  {
    what: "it is stopped and says nothing",
    begin: () => process.kill(ill.pid, "SIGSTOP"),
    end: () => process.kill(ill.pid, "SIGCONT"),
    silent: ["broadcasts stuck", "broadcasts deaf", "redis away"],
  },
  {
    what: "the network carries nothing",
    begin: () => proxy.freeze(),
    end: () => proxy.thaw(),
    silent: ["broadcasts stuck", "broadcasts deaf", "redis away"],
  },
  { what: "all connections lose their packets", begin: () => proxy.dropPresent(), end: () => undefined },
  { what: "its clock is a minute ahead", begin: () => ill.setClock(60), end: () => ill.setClock(0) },
  { what: "its clock is a minute behind", begin: () => ill.setClock(-60), end: () => ill.setClock(0) },
  { what: "it is emptied", begin: () => ill.command("FLUSHALL"), end: () => undefined },
  {
    what: "it is emptied, and its clock is set back by a minute",
    begin: async () => {
      ill.setClock(-60);
      await ill.command("FLUSHALL");
    },
    end: () => ill.setClock(0),
  },
];

test.each(illnesses)("the show goes on when Redis is ill: $what", async ({ what, begin, end, silent }) => {
  const client = await listen();
  figure(`Redis: ${what}`);
  const during = await whileIll({ begin, end }, async () => {
    const played = await playAction();
    if (silent !== undefined) await expectSilence(client, silent);
    return played;
  });
  const endedAtMs = performance.now();
  await waitFor("what was missed", () => heard(client, during).includes("resolve"));
  const pings = () => client.frames.filter(({ type }) => type === "ping").length;
  const had = pings();
  await waitFor("a ping", () => pings() > had);
  await waitFor("/ready to be content", async () => (await readReady()).degraded.length === 0);
  const after = await playAction();
  await waitFor("the next result", () => heard(client, after).includes("resolve"));
  for (const id of [during, after]) expect(heard(client, id)).toEqual([...CHANGES]);
  const backAfterMs = performance.now() - endedAtMs - OPEN_S * 1_000;
  figure(`  all heard, pings and /ready, and another action, ${Math.round(backAfterMs)} ms after its end`);
  expect(backAfterMs).toBeLessThan(BACK_WITHIN_MS);
  client.close();
  expect(await read.differences()).toEqual([]);
});

async function whileIll<Result>(
  { begin, end }: Pick<Illness, "begin" | "end">,
  work: () => Promise<Result>,
): Promise<Result> {
  await begin();
  try {
    return await work();
  } finally {
    await end();
  }
}

async function expectSilence(client: Client, words: readonly string[]): Promise<void> {
  const pings = () => client.frames.filter(({ type }) => type === "ping").length;
  await waitFor("the end of the pings", async () => {
    const had = pings();
    await Bun.sleep(NO_PING_MS);
    return pings() === had;
  });
  const { ready: isReady, degraded } = await readReady();
  expect(isReady).toBe(true);
  expect(degraded.filter(({ what }) => words.includes(what))).not.toEqual([]);
}
