import { expect, test } from "bun:test";
import { createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { refetchDelayMs } from "#client/leaderboard/refetch-delay.ts";
import { subscribeToLeaderboard } from "#client/screens/leaderboard/leaderboard-view.tsx";
import { type Leaderboard, fetchLeaders } from "#client/screens/leaderboard/load-leaders.ts";
import { createRelay } from "#src/live/relay/relay-outbox.ts";
import { excludePlayer } from "#src/play/leaderboard/exclude-player.ts";
import { browserSocket } from "#tests/live/cable/browser-socket.ts";
import { buildSignedIn, startCableServer } from "#tests/live/cable/cable-server.ts";
import { listenToStreams } from "#tests/live/relay/stream-listener.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildEvent, buildRunningSession } from "#tests/support/build.ts";
import { openDom } from "#tests/support/dom.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { untilPasses } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const WINNERS = 12;
/** A second, less the deviation on a busy machine. */
const APART_MS = 800;
const LIVE_MS = 15_000;

const ownSocket = globalThis.WebSocket;

const closeDom = openDom();
const { deps, build } = await testWorld();
const relay = createRelay(deps);
const web = { ...deps, notifyRelay: () => relay.notify() };
const cable = startCableServer(deps);
const listener = await listenToStreams(deps.env.redisUrl);
const ana = await buildSignedIn(deps);
globalThis.WebSocket = browserSocket(() => ({ cookie: ana.cookie, origin: cable.origin }));
const admin = await build.admin();
const session = await buildRunningSession(web);
const event = await buildEvent(web, "open", { sessionId: session.id });
const players = await Promise.all(Array.from({ length: WINNERS }, () => build.player()));
const winners = players.map(({ id }) => id).toSorted((one, other) => one - other);
for (const userId of winners) await build.call({ userId, eventId: event.id, side: "true" });
await build.call({ userId: ana.user.id, eventId: event.id, side: "false" });
await resolveAndPay(web, { eventId: event.id, actor: null, result: "true" });
afterFile(async () => {
  globalThis.WebSocket = ownSocket;
  listener.stop();
  await relay.stop();
  await cable.stop();
  await closeDom();
});

/** The page of Ana, who ranks below the first ten. It counts its requests. */
async function buildPageContext() {
  let requests = 0;
  const api = createApi({
    inProcess: false,
    carry: overHttp({
      csrfToken: "",
      send: (path, init) => {
        requests += 1;
        const headers = new Headers(init.headers);
        headers.set("cookie", ana.cookie);
        return fetch(`${cable.origin}${path}`, { ...init, headers });
      },
    }),
  });
  let leaderboard: Leaderboard = await fetchLeaders(api, String(session.id));
  const close = subscribeToLeaderboard(
    { api, cableUrl: cable.url, sessionId: session.id, offset: null },
    {
      viewerId: ana.user.id,
      leaderboard: () => leaderboard,
      hasPlayed: () => true,
      show: (next) => (leaderboard = next),
      reload: () => Promise.resolve(),
    },
  );
  return { leaderboard: () => leaderboard, requests: () => requests, close };
}

async function exclude(userIds: readonly number[]): Promise<void> {
  for (const userId of userIds) {
    await excludePlayer(web, { actor: admin, userId, sessionId: session.slug, reason: "Saw it early" });
  }
}

const ranked = ({ scores }: Leaderboard) => scores.map(({ userId }) => userId);

test(
  "leaders are broadcast once a second at most, and a player below them fetches the own row",
  async () => {
    const startMs = performance.now();
    const page = await buildPageContext();
    expect(page.leaderboard()).toMatchObject({ totalCount: WINNERS + 1, me: { rank: WINNERS + 1 } });
    listener.messages.length = 0;
    await exclude(winners.slice(0, 2));
    // The list comes with messages, and the own row with answers: each may be the later one.
    await untilPasses(() => {
      expect(ranked(page.leaderboard())).toEqual(winners.slice(2));
      expect(page.leaderboard().me?.rank).toBe(WINNERS - 1);
    });
    await exclude(winners.slice(2, 5));
    await untilPasses(() => {
      expect(ranked(page.leaderboard())).toEqual([...winners.slice(5), ana.user.id]);
      expect(page.leaderboard()).toMatchObject({
        totalCount: WINNERS - 4,
        me: { rank: WINNERS - 4 },
        exclusion: null,
      });
    });
    page.close();
    const messages = listener.session(session.id).filter(({ sourceType }) => sourceType === "Score");
    const moments = messages.map(({ detail }) => Date.parse(detail.serverTime));
    expect(messages.length).toBeLessThanOrEqual((performance.now() - startMs) / 1_000 + 2);
    for (const [index, moment] of moments.slice(1).entries()) {
      expect(moment - (moments[index] ?? 0)).toBeGreaterThan(APART_MS);
    }
    // The first request, one after the subscription, and at most one per message.
    expect(page.requests()).toBeLessThanOrEqual(2 + messages.length);
  },
  LIVE_MS,
);

test("refetches are spread to a few hundred requests a second for any number of viewers", () => {
  expect(refetchDelayMs(10, 1)).toBe(500);
  expect(refetchDelayMs(10_000, 0.5)).toBe(10_000);
  expect(refetchDelayMs(10_000_000, 1)).toBe(60_000);
  expect(refetchDelayMs(10_000, 0)).toBe(0);
});
