import { expect, test } from "bun:test";
import asyncapiSchema from "@asyncapi/specs/schemas/3.0.0-without-$id.json";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { webhookKinds } from "#db/lists/webhooks.ts";
import { describeApi } from "#src/api/describe-api.ts";
import { describeCable } from "#src/api/describe-messages.ts";
import { gidOf } from "#src/people/sign-ins/viewer.ts";
import { createServer } from "#src/server.ts";
import { pingWebhook } from "#src/webhooks/deliver-webhook.ts";
import { startCableServer } from "#tests/live/cable/cable-server.ts";
import { type Frame, sessionChannel, userChannel } from "#tests/live/cable/client.ts";
import { Relays } from "#tests/live/relay/relays.ts";
import { afterFile } from "#tests/support/after-file.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { payNow } from "#tests/support/pay.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildWebhook, deliveriesOf } from "#tests/webhooks/build-webhook.ts";

const cable: unknown = JSON.parse(JSON.stringify(describeCable()));

test("the document of the cable is valid AsyncAPI 3, and each of its references leads to something", () => {
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  addFormats(ajv);
  const isValid = ajv.validate(asyncapiSchema, cable);
  expect({ isValid, errors: ajv.errors?.slice(0, 5) ?? null }).toEqual({ isValid: true, errors: null });
  const found = JSON.stringify(cable).matchAll(/"\$ref":"#\/([^"]+)"/g);
  const targets = [...found].map(([, path = ""]) => path);
  expect(targets.filter((path) => partOf(cable, path.split("/")) === undefined)).toEqual([]);
  expect(targets.length).toBeGreaterThan(50);
});

/** The part of a document at a path. */
function partOf(whole: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return whole;
  if (typeof whole !== "object" || whole === null) return undefined;
  return partOf(Object.entries(whole).find(([name]) => name === key)?.[1], rest);
}

/** A document whose objects have no fields but those that are described. */
function strictly(part: unknown): unknown {
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map(strictly);
  const deep = Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, strictly(inner)]));
  return "properties" in part && "type" in part && !("additionalProperties" in part)
    ? { ...deep, additionalProperties: false }
    : deep;
}

const { deps, build, read } = await testWorld();
const relays = await Relays.open(deps);
const web = relays.start();
const server = createServer(web);
const live = startCableServer(web);
afterFile(async () => {
  await live.stop();
  await relays.stop();
  relays.listener.stop();
});

/** Somebody with the API and a socket, which follows these channels. */
async function join(user: BuiltUser, channels: readonly string[]) {
  const api = await signedInClient(web, server, user);
  const socket = await live.connect({ cookie: api.credentials()["cookie"] ?? "" });
  for (const channel of channels) await socket.follow(channel);
  const act = async (route: string, body?: object) => {
    const [method = "", path = ""] = route.split(" ");
    const { status, body: answer } = await api.send(method, `/api/v1${path}`, body);
    expect({ route, body, status, answer, isDone: status < 300 }).toMatchObject({ isDone: true });
  };
  return { user, socket, act };
}

type Member = Awaited<ReturnType<typeof join>>;

/** The name of a frame as the document has it as a key. */
function keyOf({ type, message }: Frame): string {
  if (type !== undefined) return type;
  const { sourceType, eventType } = message ?? {};
  if (typeof sourceType === "string" && typeof eventType === "string") return `${sourceType}.${eventType}`;
  if (message?.["gap"] !== undefined) return "gap";
  return message !== undefined && "caughtUp" in message ? "caught_up" : "replaced";
}

/** The id of the first thing that a frame of this name was about. */
async function idIn({ socket }: Member, key: string, thing: string): Promise<number> {
  const { message } = await socket.waitForFrame(key, (frame) => keyOf(frame) === key);
  return Number(partOf(message, ["detail", thing, "id"]));
}

const placeCall = async ({ act }: Member, eventId: number) =>
  act("POST /calls", { call: { spot_id: (await read.spots(eventId)).true.id, wager: 1 } });

/** Three questions: one is decided and paid, one is asked again, and one is deleted. */
async function playQuestions(host: Member, ana: Member, [asked, again, gone]: [number, number, number]) {
  const move = async (id: number, ...changes: [change: string, more?: object][]) => {
    for (const [change, more] of changes)
      await host.act(`PATCH /events/${id}/state`, { event: { state_event: change, ...more } });
  };
  await move(asked, ["publish_event"], ["hide"], ["show"], ["open_event"]);
  await placeCall(ana, asked);
  await placeCall(ana, asked);
  await ana.act(`DELETE /calls/${await idIn(ana, "Call.place_call", "call")}`);
  await move(asked, ["close_event"], ["resolve", { result: true }]);
  await payNow(web);
  await move(again, ["publish_event"], ["open_event"]);
  await placeCall(ana, again);
  await move(again, ["reset", { reason: "It was not clear" }]);
  await move(gone, ["publish_event"]);
  await host.act(`PATCH /events/${gone}`, { event: { title: "Will it snow?" } });
  await host.act(`DELETE /events/${gone}`);
}

/** The chat, with a message that comes too soon and one that is deleted, reactions, and what is about one player. */
async function talk(host: Member, ana: Member, sessionId: number) {
  const channel = sessionChannel(sessionId);
  await ana.act(`POST /sessions/${sessionId}/reactions`, { reaction: { kind: "love" } });
  ana.socket.perform(channel, "speak", { body: "Hello", clientId: "one" });
  ana.socket.perform(channel, "speak", { body: "Hello again", clientId: "two" });
  await idIn(ana, "Message.refuse", "none");
  const message = await idIn(ana, "Message.create", "message");
  for (const route of [`PUT /messages/${message}/approve`, `DELETE /messages/${message}`])
    await host.act(route);
  const upToId = await idIn(ana, "Notification.create", "notification");
  await ana.act(`PUT /users/${ana.user.id}/notifications/read`, { notifications: { up_to_id: upToId } });
  await ana.act(`PATCH /users/${ana.user.id}`, { user: { username: "Another name" } });
  const adjustment = { amount: 2, reason: "For the trouble" };
  await host.act(`POST /users/${ana.user.id}/wallet/adjustments`, { adjustment });
}

/** A show in which all happens that the cable and webhooks tell. @returns the frames of its people. */
async function playShow(): Promise<Frame[]> {
  const [show, other] = [await build.session(), await build.session()];
  const draft = () => build.draft({ sessionId: show.id, durationSeconds: 600, startMode: "by_hand" });
  const [asked, again, gone] = [await draft(), await draft(), await draft()];
  const channels = [sessionChannel(show.id), sessionChannel(other.id)];
  const host = await join(await build.admin(), channels);
  const player = await build.player();
  const ana = await join(player, [...channels, userChannel(gidOf(player.id))]);
  const session = `/sessions/${show.id}`;
  for (const change of ["activate", "deactivate", "start", "take_back_start", "start", "pause", "resume"])
    await host.act(`PUT ${session}/${change}`);
  await host.act(`PATCH ${session}`, { session: { name: "The finals" } });
  await host.act(`PUT ${session}/hosts/${crypto.randomUUID()}`, { host: { arming: null } });
  await playQuestions(host, ana, [asked.id, again.id, gone.id]);
  await talk(host, ana, show.id);
  for (const change of ["stop", "take_back_stop", "stop"]) await host.act(`PUT ${session}/${change}`);
  await host.act(`DELETE /sessions/${other.id}`);
  await relays.allSent();
  const { message } = await ana.socket.waitForFrame(
    "the leaders",
    (frame) => keyOf(frame) === "Score.leaders",
  );
  for (const at of [{}, { epoch: message?.["epoch"], offset: message?.["offset"] }])
    ana.socket.perform(sessionChannel(show.id), "since", at);
  ana.socket.send({ command: "subscribe", identifier: userChannel("nobody") });
  for (const key of ["ping", "gap", "caught_up", "reject_subscription"])
    await ana.socket.waitForFrame(key, (frame) => keyOf(frame) === key);
  await host.socket.waitForFrame("the hosts", (frame) => keyOf(frame) === "Host.list");
  return [...host.socket.frames, ...ana.socket.frames];
}

/** Sent only to extended clients, to slow ones, when a socket is closed, or not in a show without a correction. */
const unseen = ["confirm_history", "reject_history", "presence", "disconnect", "replaced"];

test("every frame of a played show, and every message to a webhook, is as the documents say, with no field more", async () => {
  const { id: webhookId } = await buildWebhook(deps, "http://127.0.0.1:9/");
  const frames = await playShow();
  await pingWebhook(deps, { id: webhookId, now: new Date() });
  const ajv = new Ajv({ strict: false });
  addFormats(ajv);
  ajv.addSchema(Object(strictly(cable)), "cable");
  const channelOf = ({ identifier, type }: Frame) =>
    type === undefined ? /"channel":"(\w+)"/.exec(identifier ?? "")?.[1] : "cable";
  const told = new Map<string, string | null>();
  for (const frame of frames) {
    const [channel = "", key] = [channelOf(frame), keyOf(frame)];
    const isRight = ajv.validate({ $ref: `cable#/channels/${channel}/messages/${key}/payload` }, frame);
    told.set(key, isRight ? (told.get(key) ?? null) : ajv.errorsText());
  }
  expect([...told].filter(([, error]) => error !== null)).toEqual([]);
  const channels = Object.values(Object(partOf(cable, ["channels"])));
  const described = channels.flatMap((channel) => Object.keys(Object(partOf(channel, ["messages"]))));
  const commands = ["subscribe", "unsubscribe", "message", "history", "join", "leave", "presence", "pong"];
  const missing = described.filter((key) => ![...told.keys(), ...unseen, ...commands].includes(key));
  expect([...new Set(missing)]).toEqual([]);

  const api = new Ajv2020({ strict: false });
  addFormats(api);
  api.addSchema(Object(strictly(describeApi())), "api");
  const sent = await deliveriesOf(deps, webhookId);
  for (const { type, body } of sent) {
    const at = `api#/webhooks/${type.replace("/", "~1")}/post/requestBody/content/application~1json/schema`;
    const isRight = api.validate({ $ref: at }, JSON.parse(body));
    expect({ type, error: isRight ? null : api.errorsText() }).toEqual({ type, error: null });
  }
  const types = new Set(sent.map(({ type }) => type));
  expect([...types].toSorted()).toEqual([...webhookKinds, "Webhook/ping"].toSorted());
});
