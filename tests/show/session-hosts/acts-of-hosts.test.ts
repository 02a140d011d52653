import { beforeEach, expect, test } from "bun:test";
import { and, eq, gt, max } from "drizzle-orm";
import * as v from "valibot";
import { audit } from "#db/schema/audit.ts";
import { exclusions } from "#db/schema/exclusions.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { playersAnswer } from "#src/operate/health/schemas.ts";
import { eventAnswer, eventsAnswer } from "#src/show/events/schemas.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { buildMessage } from "#tests/play/chat/fixtures.ts";
import { asApplication } from "#tests/support/application.ts";
import { type BuiltUser, only } from "#tests/support/build.ts";
import { type Answer, type TestClient } from "#tests/support/client.ts";
import { testWorld, worldOf } from "#tests/support/world.ts";

const { deps, db, build, read, unchanged } = await testWorld();
// With the rights of the application: what it changes of events and sessions needs an audit line.
const { client } = worldOf(asApplication(deps));
const admin = await build.admin();

let host: BuiltUser;
let browser: TestClient;
let own: SessionRow;

beforeEach(async () => {
  await db.update(sessions).set({ active: false });
  host = await build.player();
  browser = await client(host);
  own = await build.runningSession();
  await db.insert(sessionHosts).values({ sessionId: own.id, userId: host.id, madeById: admin.id });
});

/** A session that others host, and one that nobody may see who has not joined it. */
const others = [{}, { settings: { private: true } }] as const;

/** What somebody who runs a session does, each with the status of its success. Later acts need earlier ones. */
async function actsIn(
  session: SessionRow,
): Promise<[what: string, status: number, act: () => Promise<Answer>][]> {
  const path = `/api/v1/sessions/${session.slug}`;
  const player = await build.player();
  await db.insert(registrations).values({ sessionId: session.id, userId: player.id, displayName: "Player" });
  const question = await build.event("open", { sessionId: session.id, durationSeconds: 600 });
  await build.call({ userId: player.id, eventId: question.id });
  const skipped = await build.event("open", { sessionId: session.id, durationSeconds: 600 });
  const draft = await build.draft({ sessionId: session.id });
  const messages = [1, 2].map(() => buildMessage(deps, { sessionId: session.id, userId: player.id }));
  const [shown, removed] = await Promise.all(messages);
  const [exclusion] = await db
    .insert(exclusions)
    .values({ userId: host.id, sessionId: session.id, reason: "Cheats", excludedById: admin.id })
    .returning();
  const { send } = browser;
  const event = (id: number, part = "") => `/api/v1/events/${id}${part}`;
  const state = (stateEvent: string, more = {}) => ({ event: { state_event: stateEvent, ...more } });
  const about = { session_id: session.slug, user_id: player.id, reason: "Shouts" };
  const added = { session_id: session.id, title: "Will it rain?", duration_seconds: 60 };
  return [
    ["change the settings", 200, () => send("PATCH", path, { session: { name: "Renamed" } })],
    ["add a question", 201, () => send("POST", "/api/v1/events", { event: added })],
    ["change a question", 200, () => send("PATCH", event(draft.id), { event: { title: "Will it snow?" } })],
    ["publish it", 200, () => send("PATCH", event(draft.id, "/state"), state("publish_event"))],
    ["close one", 200, () => send("PATCH", event(question.id, "/state"), state("close_event"))],
    [
      "give a result",
      200,
      () => send("PATCH", event(question.id, "/state"), state("resolve", { result: "true" })),
    ],
    ["skip one", 200, () => send("PUT", event(skipped.id, "/skip"), { event: { reason: "Rain" } })],
    ["delete one", 204, () => send("DELETE", event(draft.id))],
    ["let a message on the screen", 200, () => send("PUT", `/api/v1/messages/${shown}/approve`)],
    ["remove a message", 204, () => send("DELETE", `/api/v1/messages/${removed}`)],
    ["mute a player", 201, () => send("POST", "/api/v1/mutes", { mute: { ...about, minutes: 5 } })],
    [
      "take a player out of the ranks",
      201,
      () => send("POST", "/api/v1/scores/exclusions", { exclusion: about }),
    ],
    ["put one back", 204, () => send("DELETE", `/api/v1/scores/exclusions/${exclusion?.id}`)],
    ["remove a player", 204, () => send("DELETE", `${path}/players/${player.id}`)],
    ["renew the code", 200, () => send("PUT", `${path}/join_code`)],
    ["renew the stage link", 200, () => send("PUT", `${path}/stage_link`)],
    ["send players here", 200, () => send("PUT", `${path}/${session.active ? "deactivate" : "activate"}`)],
    ["pause", 200, () => send("PUT", `${path}/pause`)],
    ["resume", 200, () => send("PUT", `${path}/resume`)],
    ["stop", 200, () => send("PUT", `${path}/stop`)],
    ["undo the stop", 200, () => send("PUT", `${path}/take_back_stop`)],
    ["lock the room", 200, () => send("PATCH", path, { session: { settings: { locked: true } } })],
  ];
}

test("the host of one session runs it, and each act is in its audit under the host's name", async () => {
  const acts = await actsIn(await read.session(own.id));
  const [{ last } = { last: 0 }] = await db.select({ last: max(audit.id) }).from(audit);
  for (const [what, status, act] of acts) expect([what, (await act()).status]).toEqual([what, status]);
  const lines = await db
    .select({ actorId: audit.actorId, sessionId: audit.sessionId })
    .from(audit)
    .where(and(gt(audit.id, last ?? 0), eq(audit.actorId, host.id)));
  expect(lines.length).toBeGreaterThanOrEqual(acts.length);
  expect(lines.every(({ sessionId }) => sessionId === own.id)).toBe(true);
  const byOthers = await db.$count(
    audit,
    and(gt(audit.id, last ?? 0), eq(audit.sessionId, own.id), eq(audit.actorId, admin.id)),
  );
  expect(byOthers).toBe(0);
});

test.each(others)(
  "the host of one session does none of that in a session of others (%j), and nothing changes",
  async (terms) => {
    const acts = await actsIn(await build.runningSession(terms));
    const before = await read.digest();
    for (const [what, , act] of acts) expect([what, (await act()).status]).toEqual([what, 403]);
    expect(await read.digest()).toBe(before);
  },
);

test("a host of one session makes no small room of it, in which hosts decide own calls; an admin does", async () => {
  const planned = await build.session();
  await db.insert(sessionHosts).values({ sessionId: planned.id, userId: host.id, madeById: admin.id });
  const path = `/api/v1/sessions/${planned.slug}`;
  const change = (smallRoom: boolean) => ({ session: { name: "Ours", settings: { small_room: smallRoom } } });
  const refusal = {
    status: 422,
    body: {
      errors: { "settings.smallRoom": ["is invalid"] },
      detail: "Only an admin decides whether the hosts of a session may call on what they decide.",
    },
  };
  expect(await unchanged(() => browser.send("PATCH", path, change(true)))).toMatchObject(refusal);
  const asAdmin = await client(admin);
  expect((await asAdmin.send("PATCH", path, change(true))).status).toBe(200);
  expect(await browser.send("PATCH", path, change(false))).toMatchObject(refusal);
  // With its current value it is no change.
  expect((await browser.send("PATCH", path, change(true))).status).toBe(200);
});

test("a host of one session excludes nobody from all sessions, and nothing changes", async () => {
  const exclusion = { user_id: (await build.player()).id, reason: "Cheats" };
  const answer = await unchanged(() => browser.send("POST", "/api/v1/scores/exclusions", { exclusion }));
  expect(answer.status).toBe(403);
});

test("a host of one session takes no players from a session of others, and nothing changes; from another own session they come", async () => {
  const elsewhere = await build.runningSession();
  await db.update(sessions).set({ active: false });
  await db.update(sessions).set({ active: true }).where(eq(sessions.id, elsewhere.id));
  const path = `/api/v1/sessions/${own.slug}/activate`;
  expect(await unchanged(() => browser.send("PUT", path))).toMatchObject({
    status: 403,
    body: { detail: "Players are sent to a session that you do not host. Ask an admin to send them here." },
  });
  await db.insert(sessionHosts).values({ sessionId: elsewhere.id, userId: host.id, madeById: admin.id });
  expect((await browser.send("PUT", path)).status).toBe(200);
  expect([(await read.session(own.id)).active, (await read.session(elsewhere.id)).active]).toEqual([
    true,
    false,
  ]);
});

test("a host of one session decides nothing on which the host has a call, as an admin, and nothing changes", async () => {
  const event = await build.event("open", { sessionId: own.id, durationSeconds: 600 });
  await build.call({ userId: host.id, eventId: event.id });
  const before = await read.digest();
  for (const stateEvent of ["close_event", "reset"]) {
    const body = { event: { state_event: stateEvent } };
    expect((await browser.send("PATCH", `/api/v1/events/${event.id}/state`, body)).status).toBe(403);
  }
  expect(await read.digest()).toBe(before);
});

test("the host of one session reads: the plan and the drafts of it, and of no other", async () => {
  const draft = await build.draft({ sessionId: own.id, autoResult: "true" });
  const elsewhere = await build.runningSession();
  const foreign = await build.draft({ sessionId: elsewhere.id });
  const seen = await browser.read(`/api/v1/sessions/${own.slug}/events`, eventsAnswer);
  expect(seen.events.find(({ id }) => id === draft.id)?.plan).toMatchObject({ autoResult: "true" });
  expect((await browser.read(`/api/v1/events/${draft.id}`, eventAnswer)).event.id).toBe(draft.id);
  const listed = await browser.read(`/api/v1/events?session_id=${own.id}`, eventsAnswer);
  expect(listed.events.map(({ id }) => id)).toContain(draft.id);
  const [foreignList, foreignEvent, all] = [
    await browser.get(`/api/v1/sessions/${elsewhere.slug}/events`),
    await browser.get(`/api/v1/events/${foreign.id}`),
    await browser.get("/api/v1/events?per_page=100"),
  ];
  expect(v.parse(eventsAnswer, foreignList.body).events).toEqual([]);
  expect(foreignEvent.status).toBe(404);
  expect(v.parse(eventsAnswer, all.body).events.filter(({ plan }) => plan !== null)).toEqual([]);
});

test("the host of one session reads of the players those who have joined it, by name and without their wallets", async () => {
  const event = await build.event("open", { sessionId: own.id, durationSeconds: 600 });
  const [joined, stranger] = [await build.player(), await build.player()];
  await build.call({ userId: joined.id, eventId: event.id });
  const find = async (search: string) => {
    const answer = await browser.get(`/api/v1/sessions/${own.slug}/players?search=${search}`);
    return v.parse(playersAnswer, answer.body).players;
  };
  expect(only(await find(joined.username))).toMatchObject({
    id: joined.id,
    registered: true,
    callsCount: 1,
    availableCents: null,
    available: null,
    heldCents: null,
    held: null,
  });
  expect([await find(stranger.username), await find(`${joined.username}@example.test`)]).toEqual([[], []]);
});
