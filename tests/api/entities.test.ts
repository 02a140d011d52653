import { expect, test } from "bun:test";
import * as v from "valibot";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { createServer } from "#src/server.ts";
import { announcementOf } from "#tests/people/storage/uploads.ts";
import { buildMessage } from "#tests/play/chat/fixtures.ts";
import {
  buildAdmin,
  buildBlueprint,
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
} from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

// The fields of every entity, written out as the specification names them and not taken from the product's schemas: a field
// that is renamed or left out of an answer fails here.

const deps = await testDeps();
const server = createServer(deps);
const admin = await signedInClient(deps, server, await buildAdmin(deps));
const player = await buildPlayer(deps);
const rival = await buildPlayer(deps);
const browser = await signedInClient(deps, server, player);

const blueprint = await buildBlueprint(deps, [{}, {}]);
const session = await buildRunningSession(deps, { slug: "friday-derby" });
const event = await buildEvent(deps, "open", { sessionId: session.id });
const callId = await buildCall(deps, { userId: player.id, eventId: event.id, wagerCents: 250 });
await buildCall(deps, { userId: rival.id, eventId: event.id, side: "false", wagerCents: 250 });
await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });
await buildMessage(deps, { sessionId: session.id, userId: player.id });
await writeNotifications(deps.pool.db, [
  { userId: player.id, kind: "refund", title: "Refunded", body: "", url: null },
]);
const registered = await browser.send("POST", "/api/v1/sessions/friday-derby/registrations", {
  registration: {},
});
const paid = await browser.send("POST", "/api/v1/payments", { payment: { amount: 20 } });

const anObject = v.record(v.string(), v.unknown());
type Fields = v.InferOutput<typeof anObject>;

/** The resource under a key of an answer's body; of a list, the first one. */
function resourceIn(body: unknown, key: string): Fields {
  const found = v.parse(anObject, body)[key];
  return v.parse(anObject, Array.isArray(found) ? found[0] : found);
}
const mine = async (path: string, key: string) => resourceIn((await browser.get(path)).body, key);
const admins = async (path: string, key: string) => resourceIn((await admin.get(path)).body, key);
const me = await mine("/api/v1/users/me", "user");

/** Every entity: where it is read, and its fields. */
const entities: Record<string, [read: () => Promise<Fields>, fields: string]> = {
  "a user": [
    () => mine(`/api/v1/users/${player.id}`, "user"),
    "id email gid avatar username phone createdAt updatedAt notificationCount notifications calls sessions wallet roles guest",
  ],
  "an avatar": [
    () => mine("/api/v1/users/me", "user").then(({ avatar }) => v.parse(anObject, avatar)),
    "default thumb small medium large original",
  ],
  "a wallet": [
    () => mine(`/api/v1/users/${player.id}/wallet`, "wallet"),
    "id balance availableBalance metrics held owed",
  ],
  "a wallet's metrics": [
    () =>
      mine(`/api/v1/users/${player.id}/wallet`, "wallet").then(({ metrics }) => v.parse(anObject, metrics)),
    "wagered returned net roi pending callsPlaced won lost refunded winRate currentStreak bestStreak",
  ],
  "a call": [() => mine("/api/v1/calls", "calls"), "id eventId state spotId userId wager outcome payout"],
  "an event": [
    () => mine(`/api/v1/events/${event.id}`, "event"),
    "id sessionId blueprintEventId position title description trueLabel falseLabel state result voided resultReason opensAt openedAt closesAt closedAt resolveBy resolvedAt publishedAt createdAt updatedAt durationSeconds minWager maxWager spots pool callsCount myCalls version",
  ],
  "an event of a session": [
    () => mine(`/api/v1/sessions/friday-derby/events/${event.id}`, "event"),
    "id sessionId title trueLabel falseLabel state result publishedAt createdAt",
  ],
  "a spot": [
    () => mine(`/api/v1/events/${event.id}`, "event").then((it) => resourceIn(it, "spots")),
    "id eventId side label state callsCount pool won openedAt closedAt resolvedAt",
  ],
  "a score": [
    () => mine("/api/v1/scores", "scores"),
    "id userId username avatar sessionId wins losses pushes net roi accuracy currentStreak bestStreak rank rankChange",
  ],
  "a payment": [() => mine("/api/v1/payments", "payments"), "id reference state amount provider checkoutUrl"],
  "a notification": [
    () => mine(`/api/v1/users/${player.id}/notifications`, "notifications"),
    "id kind title body url readAt createdAt",
  ],
  "a result": [
    () => mine(`/api/v1/users/${player.id}/results`, "results"),
    "id callId eventId eventTitle sessionSlug side wager outcome payout net resolvedAt",
  ],
  "a transaction": [
    () => mine("/api/v1/transactions", "transactions"),
    "id kind amount balanceAfter availableAfter callId eventId sessionId paymentId memo createdAt",
  ],
  "a blueprint": [
    () => admins(`/api/v1/blueprints/${blueprint.id}`, "blueprint"),
    "id name description defaults blueprintEvents sessionsCount createdAt updatedAt",
  ],
  "a blueprint's event": [
    () =>
      admins(`/api/v1/blueprints/${blueprint.id}`, "blueprint").then((it) =>
        resourceIn(it, "blueprintEvents"),
      ),
    "id blueprintId position title trueLabel falseLabel startMode offsetSeconds durationSeconds resolveWithinSeconds minWager maxWager autoResult",
  ],
  "a session": [
    () => mine("/api/v1/sessions/friday-derby", "session"),
    "id slug name description state active startsAt startedAt pausedAt stoppedAt blueprintId eventsCount registrationsCount registered playersOnline settings version",
  ],
  "a registration": [
    async () => resourceIn(registered.body, "registration"),
    "id sessionId userId displayName state createdAt",
  ],
  "a message": [
    () => mine("/api/v1/messages?session_id=friday-derby", "messages"),
    "id sessionId userId username avatar body createdAt deletedAt",
  ],
  "an announced upload": [
    async () => {
      const blob = announcementOf(new TextEncoder().encode("called"));
      const { body } = await browser.send("POST", "/api/v1/storage/direct_uploads", { blob });
      return v.parse(anObject, body);
    },
    "id signedId signed_id filename contentType byteSize checksum directUpload direct_upload",
  ],
};

test.each(Object.entries(entities))("%s has its fields", async (_, [read, fields]) => {
  const names = new Set(Object.keys(await read()));
  expect(fields.split(" ").filter((name) => !names.has(name))).toEqual([]);
});

test("a user's fields have their types", () => {
  const time: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(me).toMatchObject({
    id: player.id,
    email: player.email,
    gid: `gid://called-it/User/${player.id}`,
    username: player.username,
    phone: null,
    createdAt: time,
    updatedAt: time,
    notificationCount: 1,
    notifications: [{ title: "Refunded" }],
    calls: [{ id: callId }],
    sessions: [{ id: session.id, slug: "friday-derby" }],
    wallet: { balance: 102.5, availableBalance: 102.5, metrics: { won: 1 } },
  });
});

test("a call names its event, spot and user, and has its state and wager", async () => {
  const call = await mine("/api/v1/calls", "calls");
  const { spots } = await mine(`/api/v1/events/${event.id}`, "event");
  expect(call).toMatchObject({
    id: callId,
    eventId: event.id,
    userId: player.id,
    state: "resolved",
    wager: 2.5,
  });
  expect(spots).toMatchObject([{ id: call["spotId"], side: "true", state: "closed" }, { side: "false" }]);
});

test("an event has the labels of its sides, its state, its result and its times", async () => {
  const { spots, ...fields } = await mine(`/api/v1/events/${event.id}`, "event");
  const time: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  expect(fields).toMatchObject({
    trueLabel: "True",
    falseLabel: "False",
    state: "resolved",
    result: true,
    createdAt: time,
    publishedAt: time,
  });
  expect(spots).toMatchObject([
    { side: "true", label: "True", state: "closed", won: true },
    { side: "false", label: "False", state: "closed", won: false },
  ]);
});

test("a score counts the won and the lost events", async () => {
  const { body } = await browser.get("/api/v1/scores");
  expect(body).toMatchObject({
    scores: [
      { userId: player.id, wins: 1, losses: 0 },
      { userId: rival.id, wins: 0, losses: 1 },
    ],
  });
});

test("a session is found by its slug and by its id, a payment by its reference, and both are the same", async () => {
  expect(await mine(`/api/v1/sessions/${session.id}`, "session")).toEqual(
    await mine("/api/v1/sessions/friday-derby", "session"),
  );
  const payment = resourceIn(paid.body, "payment");
  expect(await mine(`/api/v1/payments/${String(payment["reference"])}`, "payment")).toEqual(payment);
});

test("the events of a blueprint have positions from 1 without gaps", async () => {
  const { body } = await admin.get(`/api/v1/blueprints/${blueprint.id}`);
  expect(body).toMatchObject({ blueprint: { blueprintEvents: [{ position: 1 }, { position: 2 }] } });
});
