import { expect, test } from "bun:test";
import { adapters, createConsumer } from "@rails/actioncable";
import { isNull } from "drizzle-orm";
import * as v from "valibot";
import { outbox } from "#db/schema/outbox.ts";
import { placeCall } from "#src/calls/place-call.ts";
import { closeEvent } from "#src/events/close-event.ts";
import { resolveEvent } from "#src/events/resolve-event.ts";
import { createRelay } from "#src/relay/relay-outbox.ts";
import { sessionMessage, type UserMessage, userMessage } from "#src/relay/schemas.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildEvent, buildRunningSession, readSpots } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { browserSocket } from "./browser-socket.ts";
import { buildSignedIn, type Stage, startStage } from "./stage.ts";

const deps = await testDeps();
const relay = createRelay(deps);
const web = { ...deps, notifyRelay: () => relay.notify() };
let stage: Stage = startStage(deps);
const ana = await buildSignedIn(deps);
// The only thing that the client is given: the headers that a browser sends by itself.
adapters.WebSocket = browserSocket(() => ({ cookie: ana.cookie, origin: stage.origin }));
const consumer = createConsumer(() => stage.url);
afterFile(async () => {
  consumer.disconnect();
  await relay.stop();
  await stage.stop();
});

function subscribe(channel: { channel: string; id: string | number }) {
  const heard: unknown[] = [];
  const states: string[] = [];
  const subscription = consumer.subscriptions.create(channel, {
    received: (message: unknown) => void heard.push(message),
    connected: () => void states.push("connected"),
    disconnected: () => void states.push("disconnected"),
    rejected: () => void states.push("rejected"),
  });
  return { heard, states, subscription };
}

test("the stock client plays a game: it stays connected over three pings, hears everything, and comes back after a restart", async () => {
  const session = await buildRunningSession(web);
  await waitFor(
    "what was before",
    async () => (await deps.pool.db.$count(outbox, isNull(outbox.sentAt))) === 0,
  );
  const own = subscribe({ channel: "UserChannel", id: ana.gid });
  const room = subscribe({ channel: "SessionsChannel", id: session.slug });
  const foreign = subscribe({ channel: "UserChannel", id: "gid://called-it/User/0" });
  await waitFor(
    "the subscriptions",
    () => own.states.length + room.states.length + foreign.states.length === 3,
  );
  expect([own.states, room.states, foreign.states]).toEqual([["connected"], ["connected"], ["rejected"]]);
  const connectedMs = performance.now();

  const event = await buildEvent(web, "open", { sessionId: session.id });
  const spotId = (await readSpots(deps, event.id)).true.id;
  await placeCall(web, { viewer: ana.user, spotId, wagerCents: 250, idempotencyKey: "first" });
  await closeEvent(web, { eventId: event.id, actor: null });
  await resolveEvent(web, { eventId: event.id, actor: null, result: "true" });
  // That the only call is refunded is told as a notification too, in its own time.
  const messages = () =>
    own.heard
      .map((message): UserMessage => v.parse(userMessage, message))
      .filter(({ sourceType }) => sourceType !== "Notification");
  await waitFor("the game", () => messages().length >= 4);
  expect(messages().map(({ eventType }) => eventType)).toEqual([
    "balance_change",
    "close_call",
    "resolve_call",
    "balance_change",
  ]);
  const inTheRoom = () => room.heard.map((message) => v.parse(sessionMessage, message));
  await waitFor("the end", () =>
    ["leaders", "resolve"].every((name) => inTheRoom().some(({ eventType }) => eventType === name)),
  );
  expect(
    inTheRoom().flatMap(({ sourceType, eventType }) => (sourceType === "Event" ? [eventType] : [])),
  ).toEqual(["publish_event", "open_event", "close_event", "resolve"]);

  await waitFor("three pings", () => performance.now() - connectedMs > 10_000);
  expect([own.states, room.states]).toEqual([["connected"], ["connected"]]);

  const before = stage;
  stage = startStage(deps);
  await before.stop();
  await waitFor("the return", () => own.states.length === 3 && room.states.length === 3, {
    withinMs: 20_000,
  });
  expect(own.states).toEqual(["connected", "disconnected", "connected"]);
  await placeCall(web, {
    viewer: ana.user,
    spotId: (await readSpots(deps, (await buildEvent(web, "open", { sessionId: session.id })).id)).false.id,
    wagerCents: 100,
    idempotencyKey: "second",
  });
  await waitFor("the balance", () => messages().length === 5);
}, 60_000);
