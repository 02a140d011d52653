import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { sessions } from "#db/schema/sessions.ts";
import { shares } from "#db/schema/shares.ts";
import { recordsAnswer } from "#src/profiles/schemas.ts";
import { createServer } from "#src/server.ts";
import { shareAnswer, sharedAnswer } from "#src/shares/schemas.ts";
import { readerFor } from "#tests/pages/ssr/browser.ts";
import { parsePage, textsOf } from "#tests/pages/ssr/parse-page.ts";
import { buildPrivateShow, buildSeason, play } from "#tests/play/seasons/build-season.ts";
import { buildAdmin, buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { signedInClient, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

const deps = await testDeps();
const server = createServer(deps);
const [ana, ben, admin] = [await buildPlayer(deps), await buildPlayer(deps), await buildAdmin(deps)];
const browser = await signedInClient(deps, server, ana);
const friday = await buildRunningSession(deps, { name: "Friday derby" });
const party = await buildPrivateShow(deps, [ana, ben]);

const read = async () =>
  v.parse(recordsAnswer, (await browser.get(`/api/v1/users/${ana.id}/records`)).body).records;
const share = () => browser.send("POST", "/api/v1/shares", { share: { kind: "records", target_id: ana.id } });

test("a player without a result has no record, and nothing to share", async () => {
  expect(await read()).toEqual({ longestStreak: null, bestNight: null, seasons: [] });
  expect(await share()).toMatchObject({ status: 422, body: { code: "no_records" } });
  expect(await deps.pool.db.$count(shares)).toBe(0);
  const reader = await readerFor(deps, server, ana);
  expect((await reader.open("/profile")).html).toContain("No record yet");
});

test("the longest streak goes over all shows and counts being right, a correction counts, and the best night is the largest net", async () => {
  const from = new Date();
  await play(deps, { sessionId: friday.id, winner: ana, loser: ben });
  // Nobody takes the other side: right without a win.
  const { id: alone } = await buildEvent(deps, "open", { sessionId: friday.id });
  await buildCall(deps, { userId: ana.id, eventId: alone, side: "true" });
  await resolveAndPay(deps, { eventId: alone, actor: null, result: "true" });
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

  await resolveAndPay(deps, { eventId: last, actor: admin, result: "false", reason: "Looked again" });
  expect((await read()).longestStreak?.length).toBe(3);
  await deps.pool.db
    .update(sessions)
    .set({ settings: sql`${sessions.settings} || '{"private": false}'` })
    .where(eq(sessions.id, party.id));
  expect((await read()).bestNight?.session).toEqual({ slug: party.slug, name: "The party" });
  await deps.pool.db
    .update(sessions)
    .set({ settings: sql`${sessions.settings} || '{"private": true}'` })
    .where(eq(sessions.id, party.id));
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
  const stranger = await signedOutClient(server);
  const { shared } = v.parse(sharedAnswer, (await stranger.get(`/api/v1${path}`)).body);
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
  const [cleo, dora] = [await buildPlayer(deps), await buildPlayer(deps)];
  const { eventId } = await play(deps, { winner: cleo, loser: dora });
  const own = await signedInClient(deps, server, cleo);
  const wish = { share: { kind: "records", target_id: cleo.id } };
  const { url } = v.parse(shareAnswer, (await own.send("POST", "/api/v1/shares", wish)).body).share;
  const stranger = await signedOutClient(server);
  const path = `/api/v1${new URL(url).pathname}`;
  expect((await stranger.get(path)).status).toBe(200);
  await resolveAndPay(deps, { eventId, actor: admin, result: "false", reason: "Looked again" });
  expect((await stranger.get(path)).status).toBe(404);
});

test("nobody reads or shares another player's records, except admins, who read them", async () => {
  const other = await signedInClient(deps, server, ben);
  const before = await deps.pool.db.$count(shares);
  const statuses = [
    (await other.get(`/api/v1/users/${ana.id}/records`)).status,
    (await other.send("POST", "/api/v1/shares", { share: { kind: "records", target_id: ana.id } })).status,
    (await (await signedInClient(deps, server, admin)).get(`/api/v1/users/${ana.id}/records`)).status,
  ];
  expect(statuses).toEqual([404, 404, 200]);
  expect(await deps.pool.db.$count(shares)).toBe(before);
});
