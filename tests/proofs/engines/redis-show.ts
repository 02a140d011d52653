import { eq } from "drizzle-orm";
import * as v from "valibot";
import { calls } from "#db/schema/calls.ts";
import { startWorkers } from "#jobs/workers.ts";
import { connectRedis } from "#src/base/redis.ts";
import { createRelay } from "#src/live/relay/relay-outbox.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import { startSweep } from "#src/show/timers/sweep.ts";
import { buildDueEvent } from "#tests/jobs/due-events.ts";
import { buildSignedIn, type SignedIn, startCableServer } from "#tests/live/cable/cable-server.ts";
import { type Client, sessionChannel, userChannel } from "#tests/live/cable/client.ts";
import { buildRunningSession, readSpots } from "#tests/support/build.ts";
import { buildDeps, type TestDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const CALL_EVERY_MS = 60;
/** The players have money for 1,000 of them. */
const WAGER_CENTS = 10;
/** Within this time after a failure everything works again. */
const BACK_WITHIN_MS = 30_000;
const callMessage = v.object({ detail: v.object({ call: v.object({ id: v.number() }) }) });

/** What a product consists of, on one Redis: two servers with sockets, a relay, workers, and a session with two players. */
export type RedisShow = Awaited<ReturnType<typeof startShow>>;

/**
 * Starts a show.
 * @param url for REDIS_URL.
 * @param options sweeps: false if jobs alone are to do what is due.
 */
export async function startShow(url: string, { sweeps = true } = {}) {
  const deps = await buildDeps({ REDIS_URL: url });
  const relay = createRelay(deps);
  const process: TestDeps = { ...deps, notifyRelay: relay.notify };
  const connection = connectRedis(url, "worker");
  const workers = startWorkers(process, connection);
  for (const worker of workers) worker.on("error", () => undefined);
  const sweep = sweeps ? startSweep(process) : null;
  const servers = [startCableServer(process), startCableServer(process)] as const;
  const session = await buildRunningSession(process);
  const players = [await buildSignedIn(deps), await buildSignedIn(deps)] as const;
  const pages = await Promise.all(
    players.map((player, index) => buildPageContext(servers[index === 0 ? 0 : 1], player, session.slug)),
  );
  return {
    deps: process,
    session,
    players,
    pages,
    stop: async () => {
      for (const page of pages) page.close();
      for (const server of servers) await server.stop();
      // At once: a worker would wait for its answer from a master that was killed.
      await Promise.all(workers.map((worker) => worker.close(true)));
      await sweep?.stop();
      await relay.stop();
      connection.disconnect();
      await deps.close();
    },
  };
}

async function buildPageContext(
  server: ReturnType<typeof startCableServer>,
  who: SignedIn,
  slug: string,
): Promise<Client> {
  const page = await server.connect(who);
  await page.follow(userChannel(who.gid));
  await page.follow(sessionChannel(slug));
  return page;
}

/** An open event of the session, with the id of its true side. */
export async function openEvent({ deps, session }: RedisShow, dueInMs: number) {
  const event = await buildDueEvent(deps, dueInMs, { sessionId: session.id });
  return { event, spotId: (await readSpots(deps, event.id)).true.id };
}

/**
 * Places calls of the first player, one after the other, while `work` is done and until its calls arrive again. Calls may be
 * refused meanwhile; then waits until every call that was placed has arrived at the player's page.
 * @returns how many were placed, and how many were refused.
 */
export async function playDuring(
  show: RedisShow,
  spotId: number,
  work: () => Promise<unknown>,
  callEveryMs = CALL_EVERY_MS,
) {
  const { deps, players, pages } = show;
  const [{ user, gid }] = players;
  const [page] = pages;
  const seen = () =>
    new Set(
      page?.messages(userChannel(gid)).flatMap((message) => {
        const parsed = v.safeParse(callMessage, message);
        return parsed.success ? [parsed.output.detail.call.id] : [];
      }),
    );
  const running = { isOn: true, refused: 0, tried: 0 };
  const playing = (async () => {
    while (running.isOn) {
      running.tried += 1;
      const idempotencyKey = `call-${running.tried}-${spotId}`;
      await placeCall(deps, { viewer: user, spotId, wagerCents: WAGER_CENTS, idempotencyKey }).catch(() => {
        running.refused += 1;
      });
      await Bun.sleep(callEveryMs);
    }
  })();
  await waitFor("the first call", () => seen().size > 0);
  await work();
  const before = seen().size;
  const startMs = performance.now();
  await waitFor("calls to arrive again", () => seen().size > before, { withinMs: BACK_WITHIN_MS });
  const backMs = performance.now() - startMs;
  running.isOn = false;
  await playing;
  const rows = await deps.pool.db.select({ id: calls.id }).from(calls).where(eq(calls.spotId, spotId));
  const missing = () => rows.filter(({ id }) => !seen().has(id)).length;
  await waitFor("every call to arrive", () => missing() === 0, { withinMs: BACK_WITHIN_MS });
  return { placed: rows.length, refused: running.refused, backMs };
}
