import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { notifications } from "#db/schema/notifications.ts";
import { sessions } from "#db/schema/sessions.ts";
import { shares } from "#db/schema/shares.ts";
import { signIns, users } from "#db/schema/users.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { profileAnswer, recordsAnswer } from "#src/profiles/schemas.ts";
import { shareAnswer, sharedAnswer } from "#src/shares/schemas.ts";
import { readerFor } from "#tests/pages/ssr/browser.ts";
import { parsePage, textsOf } from "#tests/pages/ssr/parse-page.ts";
import { buildMessage } from "#tests/play/chat/fixtures.ts";
import { buildPrivateShow, buildSeason, play } from "#tests/play/seasons/build-season.ts";
import { only } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import { givePassword } from "../people/users/person.ts";

const { deps, db, server, build, client, by, set, timer } = await testWorld();
const [ana, ben, admin] = [await build.player(), await build.player(), await build.admin()];
const browser = await client(ana);
const friday = await build.runningSession({ name: "Friday derby" });
const party = await buildPrivateShow(deps, [ana, ben]);

const read = async () => (await browser.read(`/api/v1/users/${ana.id}/records`, recordsAnswer)).records;
const share = () => browser.send("POST", "/api/v1/shares", { share: { kind: "records", target_id: ana.id } });

test("a player without a result has no record, and nothing to share", async () => {
  expect(await read()).toEqual({ longestStreak: null, bestNight: null, seasons: [] });
  expect(await share()).toMatchObject({ status: 422, body: { code: "no_records" } });
  expect(await db.$count(shares)).toBe(0);
  const reader = await readerFor(deps, server, ana);
  expect((await reader.open("/profile")).html).toContain("No record yet");
});

test("the longest streak goes over all shows and counts being right, a correction counts, and the best night is the largest net", async () => {
  const from = new Date();
  await play(deps, { sessionId: friday.id, winner: ana, loser: ben });
  // Nobody takes the other side: right without a win.
  const { id: alone } = await build.event("open", { sessionId: friday.id });
  await build.call({ userId: ana.id, eventId: alone, side: "true" });
  await timer.settle(alone);
  const { eventId: last, after: edge } = await play(deps, { winner: ana, loser: ben });
  const one = await buildSeason(deps, from, edge);
  await play(deps, { sessionId: party.id, winner: ben, loser: ana });
  await play(deps, { sessionId: party.id, winner: ana, loser: ben });
  await play(deps, { sessionId: party.id, winner: ana, loser: ben });
  await play(deps, { sessionId: party.id, winner: ana, loser: ben });

  const records = await read();
  expect(records.longestStreak?.length).toBe(3);
  expect(Date.parse(records.longestStreak?.until ?? "")).toBeLessThan(edge.getTime());
  expect(records.seasons).toMatchObject([
    { season: { id: one.id }, rank: 1, tied: false, playersCount: 2, net: 2 },
  ]);
  // A private show is not named, also not to who was there.
  expect(records.bestNight).toMatchObject({ net: 2, wins: 3, losses: 1, session: null });

  await by(admin).settle(last, "false", { reason: "Looked again" });
  expect((await read()).longestStreak?.length).toBe(3);
  await set(sessions, party.id, {
    settings: sql`${sessions.settings} || '{"private": false}'`,
  });
  expect((await read()).bestNight?.session).toEqual({ slug: party.slug, name: "The party" });
  await set(sessions, party.id, {
    settings: sql`${sessions.settings} || '{"private": true}'`,
  });
});

test("the profile shows the records, and their link shows them to everybody, without what was private", async () => {
  const reader = await readerFor(deps, server, ana);
  const page = parsePage((await reader.open("/profile")).html);
  const rows = textsOf(page, ".list > li").join("\n");
  for (const part of ["Right in a row", "Best night", "A private show", "+$2.00", "1 of 2"])
    expect(rows).toContain(part);

  const made = v.parse(shareAnswer, (await share()).body).share;
  expect(made).toMatchObject({ kind: "records", targetId: ana.id, title: "Records" });
  expect((await share()).status).toBe(200);
  const path = new URL(made.url).pathname;
  const stranger = await client();
  const { shared } = await stranger.read(`/api/v1${path}`, sharedAnswer);
  expect(shared).toMatchObject({ title: `${ana.username}'s records`, call: null, summary: null });
  expect(shared.records?.bestNight).toMatchObject({ net: 1, session: { name: "Friday derby" } });
  const shown = await server.handle(
    new Request(`http://localhost:3000${path}`, { headers: { accept: "text/html" } }),
  );
  const html = await shown.text();
  expect([shown.status, html.includes("Friday derby"), html.includes("The party")]).toEqual([
    200,
    true,
    false,
  ]);
  const picture = await server.handle(new Request(`http://localhost:3000/api/v1${path}/picture.png`));
  expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
});

test("a link to records shows nothing when a correction has taken the only one away", async () => {
  const [cleo, dora] = [await build.player(), await build.player()];
  const { eventId } = await play(deps, { winner: cleo, loser: dora });
  const own = await client(cleo);
  const wish = { share: { kind: "records", target_id: cleo.id } };
  const { url } = v.parse(shareAnswer, (await own.send("POST", "/api/v1/shares", wish)).body).share;
  const stranger = await client();
  const path = `/api/v1${new URL(url).pathname}`;
  expect((await stranger.get(path)).status).toBe(200);
  await by(admin).settle(eventId, "false", { reason: "Looked again" });
  expect((await stranger.get(path)).status).toBe(404);
});

test("the own profile has the wallet, the calls newest first, and the joined sessions", async () => {
  const { session, event } = await build.openShow();
  const [player, rival] = [await build.player(), await build.player()];
  const first = await build.call({ userId: player.id, eventId: event.id });
  await build.call({ userId: rival.id, eventId: event.id });
  const second = await build.call({ userId: player.id, eventId: event.id, wagerCents: 250 });
  const browser = await client(player);

  const { status, body } = await browser.get("/api/v1/users/me");

  expect(status).toBe(200);
  const { user } = v.parse(profileAnswer, body);
  expect(user).toMatchObject({
    id: player.id,
    gid: `gid://called-it/User/${player.id}`,
    email: player.email,
    username: player.username,
    phone: null,
    roles: [],
    guest: false,
    notificationCount: 0,
    wallet: { balance: 100, availableBalance: 96.5, metrics: { callsPlaced: 2 } },
    sessions: [{ id: session.id, slug: session.slug, name: session.name }],
  });
  expect(user.calls.map(({ id }) => id)).toEqual([second, first]);
});

test("the own profile counts unread notifications and has the newest", async () => {
  const player = await build.player();
  const news = { userId: player.id, kind: "refund" as const, body: "", url: null };
  await writeNotifications(db, [
    { ...news, title: "Older" },
    { ...news, title: "Newer" },
  ]);
  const { body } = await (await client(player)).get("/api/v1/users/me");
  expect(body).toMatchObject({
    user: { notificationCount: 2, notifications: [{ title: "Newer" }, { title: "Older" }] },
  });
});

test("an admin who reads another user's profile reads no notifications", async () => {
  const player = await build.player();
  const news = { userId: player.id, kind: "refund" as const, title: "Secret", body: "", url: null };
  await writeNotifications(db, [news]);
  const admin = await client(await build.admin());
  const read = await admin.get(`/api/v1/users/${player.id}`);
  const changed = await admin.send("PATCH", `/api/v1/users/${player.id}`, { user: {} });
  for (const { status, body } of [read, changed]) {
    expect(status).toBe(200);
    expect(body).toMatchObject({ user: { id: player.id, notificationCount: 0, notifications: [] } });
  }
});

const PATH = "/api/v1/users/me/export.json";

const exported = v.looseObject({
  profile: v.looseObject({ email: v.nullable(v.string()) }),
  calls: v.array(v.unknown()),
  transactions: v.array(v.unknown()),
  notifications: v.array(v.looseObject({ title: v.string() })),
  messages: v.array(v.unknown()),
  signIns: v.array(v.unknown()),
});

test("the export has everything of the player, and nothing of others", async () => {
  const [ana, ben] = [await build.player(), await build.player()];
  await givePassword(deps, ana.id);
  await db.update(users).set({ phone: "+14155550188" }).where(eq(users.id, ana.id));
  const { session, event } = await build.openShow({}, { settings: { teams: ["Foxes", "Owls"] } });
  await build.call({ userId: ana.id, eventId: event.id, wagerCents: 300 });
  await build.call({ userId: ben.id, eventId: event.id, side: "false", wagerCents: 500 });
  await timer.settle(event.id);
  await buildMessage(deps, { sessionId: session.id, userId: ana.id, body: "That was mine" });
  await buildMessage(deps, { sessionId: session.id, userId: ben.id, body: "That was his" });
  const browser = await client(ana);
  const answer = await browser.get(PATH);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toBe(
    `attachment; filename="called-it-account-${ana.id}.json"`,
  );
  expect(v.parse(exported, answer.body)).toMatchObject({
    profile: { id: ana.id, email: ana.email, phone: "+14155550188", username: ana.username },
    wallet: { balanceCents: 10_500 },
    calls: [{ wagerCents: 300, outcome: "won", payoutCents: 800 }],
    transactions: [{ kind: "grant" }, { kind: "hold" }, { kind: "settle" }],
    scores: [{ wins: 1 }, { wins: 1 }],
    sessionsJoined: [{ slug: session.slug, team: "Foxes" }],
    messages: [{ body: "That was mine" }],
    payments: [],
  });
  const text = JSON.stringify(answer.body);
  expect(text).not.toContain("That was his");
  const secrets = only(await db.select().from(signIns).where(eq(signIns.userId, ana.id)));
  const { passwordHash } = only(await db.select().from(users).where(eq(users.id, ana.id)));
  for (const secret of [secrets.csrfSecret, String(passwordHash)]) expect(text).not.toContain(secret);
});

test("a long list is complete and in order", async () => {
  const player = await build.player();
  const titles = Array.from({ length: 1_203 }, (_, index) => `Notice ${index}`);
  await db
    .insert(notifications)
    .values(titles.map((title) => ({ userId: player.id, kind: "announcement" as const, title })));
  const browser = await client(player);
  expect((await browser.read(PATH, exported)).notifications.map(({ title }) => title)).toEqual(titles);
});

test("nobody gets an export without a sign-in, and none too often", async () => {
  expect((await (await client()).get(PATH)).status).toBe(401);
  const browser = await client(await build.player());
  const statuses = [];
  for (let time = 0; time < 21; time += 1) statuses.push((await browser.get(PATH)).status);
  expect(statuses).toEqual([...Array<number>(20).fill(200), 429]);
});
