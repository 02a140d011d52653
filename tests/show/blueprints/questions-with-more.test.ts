import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { blobs } from "#db/schema/blobs.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { erasePerson } from "#src/profiles/delete-account.ts";
import { replayAnswer } from "#src/replays/schemas.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import { sweepPictures } from "#src/show/blueprints/removals.ts";
import {
  blueprintEventAnswer,
  blueprintEventsAnswer,
  importedBlueprintAnswer,
} from "#src/show/blueprints/schemas.ts";
import { eventAnswer, eventsAnswer } from "#src/show/events/schemas.ts";
import { Relays } from "#tests/live/relay/relays.ts";
import { Reader, readerFor } from "#tests/pages/ssr/browser.ts";
import { picture } from "#tests/people/pictures/pictures.ts";
import { upload } from "#tests/people/storage/uploads.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { only } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build, by, server, client, unchanged, signedIn, read } = await testWorld();
const [admin, host] = await signedIn.admin();
const player = await client(await build.player());
const stranger = await client();
const EVENTS = "/api/v1/blueprint_events";
const relays = await Relays.open(deps);
afterFile(async () => {
  await relays.stop();
  relays.listener.stop();
});

const sendPicture = async (size = { width: 1_600, height: 800 }) =>
  (await upload(server, host, await picture("png", size))).signedId;

/** A question in a new blueprint, by the API. */
async function ask(terms: object) {
  const { id: blueprintId } = await build.blueprint();
  const sent = { blueprint_event: { blueprint_id: blueprintId, title: "Which bridge is it?", ...terms } };
  const { status, body } = await host.send("POST", EVENTS, sent);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return v.parse(blueprintEventAnswer, body).blueprintEvent;
}

const change = (id: number, terms: object) =>
  host.send("PATCH", `${EVENTS}/${id}`, { blueprint_event: terms });

test("a question gets a picture of a known size, an explanation and a note, and loses each alone", async () => {
  const event = await ask({
    picture: await sendPicture(),
    picture_alt: "A bridge at night",
    explanation: "It was built in 1937.",
    host_note: "Say: GOL-den Gate",
  });
  expect(event).toMatchObject({
    picture: { width: 1_280, height: 640, alt: "A bridge at night" },
    explanation: "It was built in 1937.",
    hostNote: "Say: GOL-den Gate",
  });
  const { url = "", key = "" } = event.picture ?? {};
  const shown = await server.handle(
    new Request(`http://localhost:3000${url}`, { headers: host.credentials() }),
  );
  expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/webp"]);
  const metadata = await sharp(await shown.bytes()).metadata();
  expect(metadata).toMatchObject({ format: "webp", width: 1_280, height: 640 });
  expect(metadata.exif).toBeUndefined();
  expect(await read.row(blobs, eq(blobs.key, key))).toMatchObject({
    uploadedById: admin.id,
  });

  expect((await change(event.id, { picture_alt: "A red bridge" })).body).toMatchObject({
    blueprintEvent: { picture: { key, alt: "A red bridge" }, explanation: "It was built in 1937." },
  });
  const { body } = await change(event.id, { picture: null, explanation: "", host_note: "" });
  expect(body).toMatchObject({ blueprintEvent: { picture: null, explanation: "", hostNote: "" } });
  await sweepPictures(deps);
  expect((await read.row(blobs, eq(blobs.key, key))).discardedAt).not.toBeNull();
});

test("a picture without its words, and what is no picture of the sender, are refused, and nothing changes", async () => {
  const event = await ask({ picture: await sendPicture(), picture_alt: "A bridge" });
  const bare = await ask({});
  const signedId = await sendPicture();
  const ofAnother = (await upload(server, await client(await build.admin()), await picture("png"))).signedId;
  const damaged = (await upload(server, host, (await picture("png")).slice(0, 200))).signedId;
  const refused: [number, object, string][] = [
    [bare.id, { picture: signedId }, "pictureAlt"],
    [bare.id, { picture: signedId, picture_alt: "  " }, "pictureAlt"],
    [event.id, { picture_alt: "" }, "pictureAlt"],
    [bare.id, { picture_alt: "A bridge" }, "picture"],
    [bare.id, { picture: "nothing", picture_alt: "A bridge" }, "picture"],
    [bare.id, { picture: "a".repeat(40), picture_alt: "A bridge" }, "picture"],
    [bare.id, { picture: ofAnother, picture_alt: "A bridge" }, "picture"],
    [bare.id, { picture: damaged, picture_alt: "A bridge" }, "picture"],
    [bare.id, { explanation: "x".repeat(501) }, "explanation"],
    [bare.id, { host_note: "x".repeat(501) }, "hostNote"],
  ];
  await unchanged(async () => {
    for (const [id, terms, field] of refused) {
      const { status, body } = await change(id, terms);
      expect([status, body]).toEqual([
        422,
        expect.objectContaining({ errors: { [field]: [expect.anything()] } }),
      ]);
    }
  });
  const batch = {
    blueprint_id: bare.blueprintId,
    blueprint_events: [{ title: "One", picture_alt: "Alone" }],
  };
  const { body } = await unchanged(() => host.send("POST", `${EVENTS}/batch_create`, batch));
  expect(body).toHaveProperty(["errors", "blueprintEvents.0.picture"]);
});

const EXPLANATION = "Because the ice came early.";
const NOTE = "The answer is Lake Inari.";
const ALT = "A lake under snow";

/** A running session with one question that has everything; its event is a draft. */
async function ready(settings: object = {}) {
  const { blueprintId, id } = await ask({
    picture: await sendPicture(),
    picture_alt: ALT,
    explanation: EXPLANATION,
    host_note: NOTE,
    duration_seconds: 600,
    start_mode: "by_hand",
  });
  const path = `/api/v1/blueprints/${blueprintId}`;
  await host.send("DELETE", `${EVENTS}/${(await firstOf(blueprintId)).id}`);
  await host.send("PATCH", path, { blueprint: { defaults: { settlement_delay_seconds: 600, ...settings } } });
  const session = await generateSession(deps, { blueprintId });
  await by(admin).start(session.id);
  const { body } = await host.get(`/api/v1/sessions/${session.id}/events`);
  return { session, blueprintEventId: id, event: only(v.parse(eventsAnswer, body).events) };
}

/** The last event of a blueprint. */
async function lastOf(blueprintId: number) {
  const { body } = await host.get(`/api/v1/blueprints/${blueprintId}`);
  const { blueprintEvents: rows } = v.parse(v.object({ blueprint: blueprintEventsAnswer }), body).blueprint;
  return only(rows.slice(-1));
}

/** An event of a blueprint: this one, or the first. */
async function firstOf(blueprintId: number, eventId?: number) {
  const { body } = await host.get(`/api/v1/blueprints/${blueprintId}`);
  const { blueprintEvents: rows } = v.parse(v.object({ blueprint: blueprintEventsAnswer }), body).blueprint;
  const first = rows.find(({ id }) => eventId === undefined || id === eventId);
  if (first === undefined) throw new Error("a blueprint without the event");
  return first;
}

test("nobody but hosts reads a picture before its question is published, an explanation before the result, and the note ever", async () => {
  const { session, event } = await ready();
  const web = relays.start();
  const url = event.picture?.url ?? "";
  const reader = await readerFor(deps, server, await build.player());
  const watcher = new Reader(server);
  const move = (name: string, terms = {}) =>
    host.send("PATCH", `/api/v1/events/${event.id}/state`, { event: { state_event: name, ...terms } });
  /** What each of them can read, as one text. */
  const readable = async () => {
    const paths = [
      `/api/v1/events?session_id=${session.id}`,
      `/api/v1/events/${event.id}`,
      `/api/v1/events/${event.id}/settlement`,
      `/api/v1/sessions/${session.id}/events`,
      `/api/v1/sessions/${session.id}/stage`,
      `/api/v1/sessions/${session.id}/replay`,
      `/api/v1/sessions/${session.id}/replay/export?format=csv`,
      `/api/v1/blueprint_events/${event.blueprintEventId}`,
      `/api/v1/users/me/export.json`,
    ];
    const answers = await Promise.all(paths.flatMap((path) => [player.get(path), stranger.get(path)]));
    const pages = [`/sessions/${session.slug}`, `/sessions/${session.slug}/stage`];
    const opened = await Promise.all(pages.flatMap((page) => [reader.open(page), watcher.open(page)]));
    web.notifyRelay();
    await relays.allSent();
    const file = async (one: typeof player) => (await one.get(url)).status;
    return {
      text: JSON.stringify([
        answers.map(({ body }) => body),
        opened.map(({ html }) => html),
        relays.listener.messages,
      ]),
      files: [await file(player), await file(stranger), await file(host)],
    };
  };
  const sees = async () => {
    relays.listener.messages.length = 0;
    const { text, files } = await readable();
    expect(text).not.toContain(NOTE);
    return { picture: text.includes(url), explanation: text.includes(EXPLANATION), files };
  };
  const nothing = { picture: false, explanation: false, files: [404, 404, 200] };
  expect(event.plan).toMatchObject({ explanation: EXPLANATION, hostNote: NOTE });
  expect(await sees()).toEqual(nothing);
  const before = { picture: true, explanation: false, files: [200, 200, 200] };
  for (const name of ["publish_event", "open_event", "close_event"]) {
    await move(name);
    expect([name, await sees()]).toEqual([name, before]);
  }
  await move("resolve", { result: true });
  expect(await sees()).toEqual({ ...before, explanation: true });
  expect(JSON.stringify(relays.listener.messages)).toContain(EXPLANATION);
  await move("withdraw");
  await move("reset", { reason: "Asked again" });
  expect((await player.get(`/api/v1/events/${event.id}`)).status).toBe(404);
  expect([(await player.get(url)).status, (await host.get(url)).status]).toEqual([404, 200]);
  await relays.stop();
});

test("a picture of a private session opens for those who are in it alone", async () => {
  const { session, event } = await ready({ private: true });
  const url = event.picture?.url ?? "";
  await by(admin).publish(event.id);
  expect([(await player.get(url)).status, (await stranger.get(url)).status]).toEqual([404, 404]);
  const [member, inside] = await signedIn.player();
  expect((await inside.send("POST", "/api/v1/joins", { join: { code: session.joinCode } })).status).toBe(201);
  expect((await inside.get(url)).status).toBe(200);
  expect((await host.send("DELETE", `/api/v1/sessions/${session.id}/players/${member.id}`)).status).toBe(204);
  expect((await inside.get(url)).status).toBe(404);
  const { key = "" } = event.picture ?? {};
  expect((await host.get(`/api/v1/events/${event.id}/pictures/${"0".repeat(40)}`)).status).toBe(404);
  const other = await ready();
  expect((await host.get(`/api/v1/events/${other.event.id}/pictures/${key}`)).status).toBe(404);
});

test("what players have called on keeps its picture, and its explanation and note can be corrected", async () => {
  const { event } = await ready();
  await by(admin).publish(event.id);
  await by(admin).open(event.id);
  await build.call({ userId: (await build.player()).id, eventId: event.id });
  const patch = (terms: object) => host.send("PATCH", `/api/v1/events/${event.id}`, { event: terms });
  expect((await unchanged(() => patch({ picture: null }))).status).toBe(422);
  expect((await unchanged(() => patch({ picture_alt: "Another lake" }))).status).toBe(422);
  const { status, body } = await patch({
    explanation: "It froze in May.",
    host_note: "Ask again",
    picture: event.picture?.key,
    picture_alt: ALT,
  });
  expect([status, v.parse(eventAnswer, body).event.plan]).toMatchObject([
    200,
    { explanation: "It froze in May.", hostNote: "Ask again" },
  ]);
});

test("an export brings a question back with all it has, and another installation says that the picture is not there", async () => {
  const { blueprintId } = await ask({
    picture: await sendPicture(),
    picture_alt: ALT,
    explanation: "First line,\nsecond line",
    host_note: NOTE,
  });
  const { picture: shared } = await lastOf(blueprintId);
  for (const format of ["csv", "json"]) {
    const { body } = await host.get(`/api/v1/blueprints/${blueprintId}/export.${format}`);
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const bring = async (plan: string) => {
      const made = await host.send("POST", "/api/v1/blueprints/import", {
        blueprint: { text: plan, name: "Back" },
      });
      const { blueprint, leftOut } = v.parse(importedBlueprintAnswer, made.body);
      return { event: blueprint.blueprintEvents.at(-1), leftOut };
    };
    const same = await bring(text);
    expect(same.event).toMatchObject({
      picture: { key: shared?.key, alt: ALT, width: 1_280 },
      explanation: "First line,\nsecond line",
      hostNote: NOTE,
    });
    expect(same.leftOut).toEqual([]);
    const foreign = await bring(text.replaceAll(shared?.key ?? "-", "b".repeat(40)));
    expect(foreign.event).toMatchObject({ picture: null, hostNote: NOTE });
    const why = expect.stringContaining("pictures are added in the editor");
    expect(foreign.leftOut).toEqual([
      expect.objectContaining({ text: "b".repeat(40), why }),
      expect.objectContaining({ text: ALT, why }),
    ]);
  }
});

test("with the result an explanation is in receipt, settlement, replay and sheet, and the picture in the replay from its publishing on", async () => {
  const { session, event } = await ready({ settlement_delay_seconds: 0 });
  const [caller, theirs] = await signedIn.player();
  await by(admin).publish(event.id);
  await by(admin).open(event.id);
  const callId = await build.call({ userId: caller.id, eventId: event.id });
  await by(admin).close(event.id);
  const sheet = async () =>
    (await host.get(`/api/v1/sessions/${session.id}/results.csv?table=questions`)).body;
  expect(await sheet()).not.toContain(EXPLANATION);
  expect(JSON.stringify((await theirs.get(`/api/v1/calls/${callId}`)).body)).not.toContain(EXPLANATION);
  await by(admin).settle(event.id, "true");
  await by(admin).stop(session.id);
  expect(await sheet()).toContain(EXPLANATION);
  expect((await theirs.get(`/api/v1/calls/${callId}`)).body).toMatchObject({
    receipt: { explanation: EXPLANATION },
  });
  expect((await theirs.get(`/api/v1/events/${event.id}/settlement`)).body).toMatchObject({
    event: { explanation: EXPLANATION },
  });
  for (const viewer of [host, theirs]) {
    const { body } = await viewer.get(`/api/v1/sessions/${session.id}/replay`);
    const { steps } = v.parse(replayAnswer, body).replay;
    const states = steps.flatMap(({ events }) => events);
    for (const { state, result, picture: shown, explanation } of states)
      expect([state, shown?.alt, explanation]).toEqual([
        state,
        ALT,
        result === null ? undefined : EXPLANATION,
      ]);
    expect(states.some(({ result }) => result !== null)).toBe(true);
    expect(JSON.stringify(body)).not.toContain(NOTE);
  }
});

test("copies of a question share its picture, which stays while one has it or could be brought back, and goes with its sender", async () => {
  const { event, session } = await ready();
  const { key = "" } = event.picture ?? {};
  const file = () => read.row(blobs, eq(blobs.key, key));
  const { body } = await host.send("POST", "/api/v1/blueprints/from_session", {
    blueprint: { session: session.slug, name: "Again" },
  });
  const again = v.parse(v.object({ blueprint: v.object({ id: v.number() }) }), body).blueprint.id;
  const copy = await firstOf(again);
  expect(copy).toMatchObject({ picture: { key, alt: ALT }, explanation: EXPLANATION, hostNote: NOTE });
  await host.send("DELETE", `${EVENTS}/${event.blueprintEventId}`);
  await sweepPictures(deps);
  expect((await file()).discardedAt).toBeNull();
  expect((await host.get(copy.picture?.url ?? "")).status).toBe(200);
  await inTransaction(db, (tx) => erasePerson(tx, { id: admin.id, email: null }));
  expect((await file()).discardedAt).not.toBeNull();
  const ofAgain = eq(blueprintEvents.blueprintId, again);
  expect((await read.row(blueprintEvents, ofAgain)).picture).toMatchObject({ alt: ALT });
});
