import { expect, test } from "bun:test";
import * as v from "valibot";
import { createApi, endingWith } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { listen, pauseCable, resumeCable } from "#client/base/live/cable.ts";
import { readSync, updateConnection } from "#client/base/live/connection.ts";
import {
  initialActionState,
  reduceActionState,
  type ActionChange,
  type ActionSnapshot,
  type ActionState,
} from "#client/events/action-state.ts";
import { fetchAction, type FetchedAction } from "#client/events/load-action.ts";
import { sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import { findStreamOffsets } from "#src/base/streams/stream-offsets.ts";
import { createRelay } from "#src/live/relay/relay-outbox.ts";
import {
  sessionMessage,
  type SessionMessage,
  type UserMessage,
  userMessage,
} from "#src/live/relay/schemas.ts";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { ownVariables } from "#src/settings/env.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { findSessionView } from "#src/show/sessions/find-session-views.ts";
import { place } from "#tests/live/relay/relays.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildEvent, buildRunningSession } from "#tests/support/build.ts";
import { openDom } from "#tests/support/dom.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { roundsOf } from "#tests/support/rounds.ts";
import { createSilentPort } from "#tests/support/silent-proxy.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { browserSocket } from "./browser-socket.ts";
import { buildSignedIn, startCableServer } from "./cable-server.ts";
import { sessionChannel, userChannel } from "./client.ts";

/** A seeded random generator, so that a run can be repeated. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

// The page's own code behind a connection that is cut again and again, compared with a client whose connection never is.

const CUTS = roundsOf({ daily: 10, many: 200 });
const SEED = Number(ownVariables()["SEED"] ?? Math.floor(Math.random() * 1e9));
const ownSocket = globalThis.WebSocket;

const closeDom = openDom();
const { deps, db, build } = await testWorld();
const relay = createRelay(deps);
const web = { ...deps, notifyRelay: () => relay.notify() };
const server = startCableServer(deps);
const proxy = await createSilentPort(server.port);
const [ana, ben] = await Promise.all([buildSignedIn(deps), build.player()]);
globalThis.WebSocket = browserSocket(() => ({
  cookie: ana.cookie,
  origin: `http://127.0.0.1:${proxy.port}`,
}));
afterFile(async () => {
  // The page is told to stay away and closes its socket: it must not look for its server while other files of this process run.
  updateConnection({ dismissed: "staying" });
  pauseCable();
  resumeCable();
  globalThis.WebSocket = ownSocket;
  await server.stop();
  await closeDom();
});

/** The state of a page: the table, the wallet, and how often it had to read all data again. */
class Screen {
  table: ActionState;
  walletVersion = 0;
  rereads = 0;
  connects = 0;
  received: SessionMessage[] = [];

  constructor(snapshot: ActionSnapshot) {
    this.table = initialActionState(snapshot);
  }
  change(change: ActionChange): void {
    this.table = reduceActionState(this.table, change);
  }
  receive(message: SessionMessage): void {
    this.received.push(message);
    this.change({ kind: "message", message });
  }
  hearOwn(message: UserMessage): void {
    if ("call" in message.detail) {
      const { call, serverTime } = message.detail;
      this.change({ kind: "call", call, asOf: serverTime });
    }
    if ("wallet" in message.detail && message.detail.wallet !== undefined)
      this.walletVersion = Math.max(this.walletVersion, message.detail.wallet.version);
  }
}

async function readSnapshot(sessionId: number): Promise<ActionSnapshot> {
  const api = createApi({
    inProcess: false,
    carry: overHttp({
      csrfToken: "",
      send: (path, init) => {
        const request = new Request(`${server.origin}${path}`, init);
        request.headers.set("cookie", ana.cookie);
        return fetch(request);
      },
    }),
  });
  const query = { slug: String(sessionId), watching: false };
  const fetched: FetchedAction = await fetchAction(endingWith(AbortSignal.timeout(5_000), api), query);
  const session = await findSessionView(db, sessionId, ana.user.id);
  if (session === null) throw new Error("the session is gone");
  const { events, leaders, serverTime } = fetched;
  return {
    session,
    nextSession: null,
    events,
    leaders: leaders.leaders,
    me: leaders.me,
    playersCount: leaders.totalCount,
    asOf: serverTime,
  };
}

/** Opens the page's listeners behind the proxy, from the offsets of its snapshot. */
function buildPageContext(
  snapshot: ActionSnapshot,
  sessionId: number,
  offsets: [StreamOffset, StreamOffset],
) {
  const screen = new Screen(snapshot);
  const url = `ws://127.0.0.1:${proxy.port}/cable`;
  const missed = () => {
    screen.rereads += 1;
    void readSnapshot(sessionId).then((reread) => screen.change({ kind: "snapshot", snapshot: reread }));
  };
  const stops = [
    listen(
      url,
      { channel: "SessionsChannel", id: String(sessionId), offset: offsets[0] },
      { missed, connected: () => (screen.connects += 1), received: (message) => screen.receive(message) },
    ),
    listen(
      url,
      { channel: "UserChannel", id: ana.gid, offset: offsets[1] },
      { missed, received: (message) => screen.hearOwn(message) },
    ),
  ];
  return { screen, stop: () => stops.forEach((stop) => stop()) };
}

const spoken = v.looseObject({ sourceType: v.string(), offset: v.number() });

/** The same screen on a connection that is never cut, without the page's own code. */
async function openObserver(
  snapshot: ActionSnapshot,
  sessionId: number,
  offsets: [StreamOffset, StreamOffset],
) {
  const uncut = new Screen(snapshot);
  const observer = await server.connect(ana);
  const channels = [sessionChannel(sessionId), userChannel(ana.gid)];
  // What is broadcast between its subscription and its request comes twice: live, and from the history.
  const heard = new Set<string>();
  observer.socket.addEventListener("message", ({ data }) => {
    const { identifier, message }: { identifier?: string; message?: unknown } = JSON.parse(String(data));
    if (!v.is(spoken, message)) return;
    const position = `${identifier} ${message.offset}`;
    if (heard.has(position)) return;
    heard.add(position);
    if (identifier === channels[0]) uncut.receive(v.parse(sessionMessage, message));
    else uncut.hearOwn(v.parse(userMessage, message));
  });
  for (const [index, channel] of channels.entries()) {
    await observer.follow(channel);
    observer.perform(channel, "since", offsets[index] ?? {});
  }
  const caughtUp = () => observer.frames.filter(({ message }) => message?.["caughtUp"] !== undefined);
  await waitFor("the observer", () => caughtUp().length === channels.length);
  return { uncut, observer };
}

async function cutOnce(roll: (sides: number) => number): Promise<void> {
  if (roll(3) === 0) {
    proxy.dropPresent();
    await Bun.sleep(roll(15));
  }
  await waitFor("the page to notice", () => {
    // Also cuts a connection that was opened in the meantime.
    proxy.cut();
    return readSync() === "offline";
  });
  await Bun.sleep(roll(10));
  // The browser's event that the network is back: the page reconnects at once.
  globalThis.dispatchEvent(new Event("online"));
  if (roll(4) > 0) await waitFor("the page to be back", () => readSync() === "live");
}

type Event = Awaited<ReturnType<typeof buildEvent>>;

async function nextEvent(
  sessionId: number,
  { id: eventId }: Event,
  roll: (sides: number) => number,
): Promise<Event> {
  await closeEvent(web, { eventId, actor: null });
  await resolveAndPay(web, { eventId, actor: null, result: roll(2) === 0 ? "true" : "false" });
  return buildEvent(web, "open", { sessionId, durationSeconds: 600 });
}

async function callOrCancel({ id: eventId }: Event, roll: (sides: number) => number): Promise<void> {
  const user = roll(2) === 0 ? ana.user : ben;
  const callId = await place(web, { user, eventId, side: roll(2) === 0 ? "true" : "false" });
  if (roll(3) === 0) await cancelCall(web, { viewer: user, callId });
}

test(`a page cut ${CUTS} times ends like one never cut, without reading its data again (SEED=${SEED})`, async () => {
  const roll = dice(SEED);
  const session = await buildRunningSession(web);
  let event = await buildEvent(web, "open", { sessionId: session.id, durationSeconds: 600 });
  const streams = [sessionStream(session.id), userStream(ana.user.id)];
  const [sessionOffset, userOffset] = await findStreamOffsets(deps.redis, streams);
  if (sessionOffset === undefined || userOffset === undefined) throw new Error("the streams have no offsets");
  const snapshot = await readSnapshot(session.id);

  const { uncut, observer } = await openObserver(snapshot, session.id, [sessionOffset, userOffset]);
  const { screen, stop } = buildPageContext(snapshot, session.id, [sessionOffset, userOffset]);
  await waitFor("the page", () => screen.connects > 0);
  for (let cut = 1; cut <= CUTS; cut += 1) {
    event = cut % 10 === 0 ? await nextEvent(session.id, event, roll) : event;
    // The page's own player has at least one call.
    if (cut === 1) await place(web, { user: ana.user, eventId: event.id, side: "true" });
    else if (roll(2) === 0) await callOrCancel(event, roll);
    await cutOnce(roll);
  }
  await waitFor("the page to be back", () => readSync() === "live");
  await relay.stop();
  const stateOf = ({ table, walletVersion, received }: Screen) => ({
    table,
    walletVersion,
    received: received.length,
  });
  await waitFor("the same screen", () => Bun.deepEquals(stateOf(screen), stateOf(uncut)) || null).catch(() =>
    expect(stateOf(screen)).toEqual(stateOf(uncut)),
  );
  expect(screen.rereads).toBe(0);
  expect(uncut.received.length).toBeGreaterThan(CUTS / 4);
  expect(screen.table.ownCalls).not.toEqual([]);
  stop();
  observer.close();
});
