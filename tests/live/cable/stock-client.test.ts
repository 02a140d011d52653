import { expect, test } from "bun:test";
import { adapters, createConsumer } from "@rails/actioncable/app/assets/javascripts/actioncable.esm.js";
import { isNull } from "drizzle-orm";
import * as v from "valibot";
import { outbox } from "#db/schema/outbox.ts";
import { createRelay } from "#src/live/relay/relay-outbox.ts";
import { sessionMessage, type UserMessage, userMessage } from "#src/live/relay/schemas.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildEvent, buildRunningSession } from "#tests/support/build.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { browserSocket } from "./browser-socket.ts";
import { buildSignedIn, type CableServer, startCableServer } from "./cable-server.ts";

const { deps, db, read } = await testWorld();
const relay = createRelay(deps);
const web = { ...deps, notifyRelay: () => relay.notify() };
let server: CableServer = startCableServer(deps);
const ana = await buildSignedIn(deps);
// The package is unchanged; it only gets the headers that a browser sends.
adapters.WebSocket = browserSocket(() => ({ cookie: ana.cookie, origin: server.origin }));
const consumer = createConsumer(() => server.url);
afterFile(async () => {
  consumer.disconnect();
  await relay.stop();
  await server.stop();
});

function subscribe(channel: { channel: string; id: string | number }) {
  const received: unknown[] = [];
  const states: string[] = [];
  const subscription = consumer.subscriptions.create(channel, {
    received: (message: unknown) => void received.push(message),
    connected: () => void states.push("connected"),
    disconnected: () => void states.push("disconnected"),
    rejected: () => void states.push("rejected"),
  });
  return { received, states, subscription };
}

test("the stock client plays a game, and reconnects after a restart", async () => {
  const session = await buildRunningSession(web);
  await waitFor("what was before", async () => (await db.$count(outbox, isNull(outbox.sentAt))) === 0);
  const own = subscribe({ channel: "UserChannel", id: ana.gid });
  const shared = subscribe({ channel: "SessionsChannel", id: session.slug });
  const foreign = subscribe({ channel: "UserChannel", id: "gid://called-it/User/0" });
  await waitFor(
    "the subscriptions",
    () => own.states.length + shared.states.length + foreign.states.length === 3,
  );
  expect([own.states, shared.states, foreign.states]).toEqual([["connected"], ["connected"], ["rejected"]]);

  const event = await buildEvent(web, "open", { sessionId: session.id });
  const spotId = (await read.spots(event.id)).true.id;
  await placeCall(web, { viewer: ana.user, spotId, wagerCents: 250, idempotencyKey: "first" });
  await closeEvent(web, { eventId: event.id, actor: null });
  await resolveAndPay(web, { eventId: event.id, actor: null, result: "true" });
  // The refund of the only call also causes a notification, at any time.
  const messages = () =>
    own.received
      .map((message): UserMessage => v.parse(userMessage, message))
      .filter(({ sourceType }) => sourceType !== "Notification");
  await untilPasses(() =>
    expect(messages().map(({ eventType }) => eventType)).toEqual([
      "place_call",
      "close_call",
      "resolve_call",
    ]),
  );
  const sharedMessages = () => shared.received.map((message) => v.parse(sessionMessage, message));
  await waitFor("the end", () =>
    ["leaders", "pay"].every((name) => sharedMessages().some(({ eventType }) => eventType === name)),
  );
  expect(
    sharedMessages().flatMap(({ sourceType, eventType }) => (sourceType === "Event" ? [eventType] : [])),
  ).toEqual(["publish_event", "open_event", "close_event", "resolve", "pay"]);

  expect([own.states, shared.states]).toEqual([["connected"], ["connected"]]);

  const before = server;
  server = startCableServer(deps);
  await before.stop();
  await untilPasses(() => expect(own.states).toEqual(["connected", "disconnected", "connected"]));
  await placeCall(web, {
    viewer: ana.user,
    spotId: (await read.spots((await buildEvent(web, "open", { sessionId: session.id })).id)).false.id,
    wagerCents: 100,
    idempotencyKey: "second",
  });
  await waitFor("the call", () => messages().length === 4);
}, 180_000);
