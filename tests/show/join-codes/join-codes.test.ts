import { beforeEach, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import * as v from "valibot";
import { queryRows } from "#db/ledger/query.ts";
import { JOIN_CODE_LETTERS, joinCodeFormat } from "#db/lists/join-code.ts";
import { calls } from "#db/schema/calls.ts";
import { registrations, removedPlayers, sessions } from "#db/schema/sessions.ts";
import { joinUrlOf } from "#src/show/join-codes/join-code.ts";
import { joinCodeAnswer, joinedAnswer } from "#src/show/join-codes/schemas.ts";
import { sessionsAnswer } from "#src/show/sessions/schemas.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import type { TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build, read, server, client } = await testWorld();
const host = await client(await build.admin());

let show: SessionRow;
let player: { id: number };
let browser: TestClient;

beforeEach(async () => {
  await db.update(sessions).set({ active: false });
  show = await build.runningSession({ name: "Anna's wedding", settings: { private: true } });
  player = await build.player();
  browser = await client(player);
});

const join = (who: TestClient, code: string, more = {}) =>
  who.send("POST", "/api/v1/joins", { join: { code, ...more } });
const codeOf = async ({ id }: { id: number }) =>
  (await db.select({ code: sessions.joinCode }).from(sessions).where(eq(sessions.id, id)))[0]?.code ?? "";
const isRegistered = (userId: number) =>
  db.$count(registrations, and(eq(registrations.sessionId, show.id), eq(registrations.userId, userId)));

/** Whether a player can open the show, finds it in the list, and is taken to it. */
async function standing(who: TestClient) {
  const { slug } = show;
  const paths = ["", "/events", "/stage", "/reminder"].map((part) => `/api/v1/sessions/${slug}${part}`);
  paths.push(`/api/v1/scores/leaders?session_id=${slug}`, `/api/v1/messages?session_id=${slug}`);
  const statuses = await Promise.all(paths.map(async (path) => (await who.get(path)).status));
  const list = await who.read("/api/v1/sessions?per_page=100", sessionsAnswer);
  const page = await server.handle(
    new Request(`http://localhost:3000/sessions/${slug}`, {
      headers: { ...who.credentials(), accept: "text/html" },
    }),
  );
  return {
    statuses: statuses.join(" "),
    listed: list.sessions.some((session) => session.slug === slug),
    counted: list.meta.totalCount === list.sessions.length,
    page: page.status,
  };
}
const outside = { statuses: "404 404 404 404 404 404", listed: false, counted: true, page: 404 };
const inside = { statuses: "200 200 200 404 200 200", listed: true, counted: true, page: 200 };

test("a private show does not exist for a player until the code lets the player in, by page, API, list and call", async () => {
  const event = await build.event("open", { sessionId: show.id, durationSeconds: 600 });
  const spot = (await read.spots(event.id)).true.id;
  const call = (key: string) =>
    browser.send("POST", "/api/v1/calls", { call: { spotId: spot, wager: 1 } }, { "idempotency-key": key });
  expect(await standing(browser)).toEqual(outside);
  // As a spot that does not exist.
  expect((await call("a")).body).toMatchObject({ errors: { spot: ["must exist"] } });
  expect((await browser.send("POST", `/api/v1/sessions/${show.slug}/registrations`)).status).toBe(404);
  expect([await db.$count(calls), await isRegistered(player.id)]).toEqual([0, 0]);

  const typed = ` ${show.joinCode.slice(0, 3).toLowerCase()}-${show.joinCode.slice(3)} `;
  const joined = await join(browser, typed);
  expect(joined.status).toBe(201);
  expect(v.parse(joinedAnswer, joined.body).session).toMatchObject({
    slug: show.slug,
    private: true,
    entered: true,
  });
  expect((await join(browser, typed)).status).toBe(200);
  expect(await standing(browser)).toEqual(inside);
  expect((await call("b")).status).toBe(201);
});

test("a private show is unknown to who is signed out, also live, on its stage without the key, and on the front door", async () => {
  const stranger = await client();
  for (const part of ["", "/events", "/stage?key=", "/stage?key=wrong"])
    expect([part, (await stranger.get(`/api/v1/sessions/${show.slug}${part}`)).status]).toEqual([part, 401]);
  expect((await stranger.get("/api/v1/front_door")).body).toMatchObject({
    frontDoor: { live: null, next: null },
  });
  const { body } = await host.get(`/api/v1/sessions/${show.slug}/stage_link`);
  const key = /key=([\w-]+)/.exec(JSON.stringify(body))?.[1] ?? "";
  for (const who of [stranger, browser])
    expect((await who.get(`/api/v1/sessions/${show.slug}/stage?key=${key}`)).body).toMatchObject({
      joinCode: show.joinCode,
      joinUrl: joinUrlOf(deps.env, show.joinCode),
    });
});

test("a private show that is switched to private keeps those who have joined", async () => {
  const open = await build.session({ name: "Open" });
  show = open;
  expect((await browser.send("POST", `/api/v1/sessions/${open.slug}/registrations`)).status).toBe(201);
  const other = await client(await build.player());
  expect((await standing(other)).page).toBe(200);
  const settings = { private: true };
  expect((await host.send("PATCH", `/api/v1/sessions/${open.slug}`, { session: { settings } })).status).toBe(
    200,
  );
  expect(await standing(browser)).toEqual(inside);
  expect(await standing(other)).toEqual(outside);
  expect((await standing(host)).listed).toBe(true);
});

test("a removed player stays out until there is a new code; repeating it changes nothing, and the audit says who was removed", async () => {
  await join(browser, show.joinCode);
  const remove = () => host.send("DELETE", `/api/v1/sessions/${show.slug}/players/${player.id}`);
  expect([(await remove()).status, (await remove()).status]).toEqual([204, 204]);
  expect(await standing(browser)).toEqual(outside);
  expect(await isRegistered(player.id)).toBe(0);
  const refused = await join(browser, show.joinCode);
  expect([refused.status, refused.body]).toMatchObject([
    403,
    { code: "removed", error: "The host has removed you from this show." },
  ]);
  expect(await isRegistered(player.id)).toBe(0);
  const lines = await read.audit({ sessionId: show.id });
  expect(lines.filter(({ action }) => action === "remove_player")).toMatchObject([
    { subjectType: "user", subjectId: player.id },
  ]);

  const renewed = await host.send("PUT", `/api/v1/sessions/${show.slug}/join_code`);
  const { code, url } = v.parse(joinCodeAnswer, renewed.body).joinCode;
  expect([code === show.joinCode, code, url]).toEqual([false, await codeOf(show), joinUrlOf(deps.env, code)]);
  expect((await join(browser, show.joinCode)).status).toBe(404);
  expect((await join(browser, code)).status).toBe(201);
  expect(await standing(browser)).toEqual(inside);
  expect(await db.$count(removedPlayers)).toBe(0);
});

test("a removed player of a show for everybody is out as well, and calls nothing there", async () => {
  show = await build.runningSession();
  const event = await build.event("open", { sessionId: show.id, durationSeconds: 600 });
  const spot = (await read.spots(event.id)).true.id;
  expect((await standing(browser)).page).toBe(200);
  await host.send("DELETE", `/api/v1/sessions/${show.slug}/players/${player.id}`);
  expect(await standing(browser)).toEqual(outside);
  const before = await db.$count(calls);
  const call = { call: { spotId: spot, wager: 1 } };
  expect((await browser.send("POST", "/api/v1/calls", call)).body).toMatchObject({
    errors: { spot: ["must exist"] },
  });
  expect([await db.$count(calls), await isRegistered(player.id)]).toEqual([before, 0]);
});

test("a removed player is no admin: hosts are in every show", async () => {
  const admin = await build.admin();
  const refused = await host.send("DELETE", `/api/v1/sessions/${show.slug}/players/${admin.id}`);
  expect([refused.status, await db.$count(removedPlayers, eq(removedPlayers.userId, admin.id))]).toEqual([
    422, 0,
  ]);
  expect((await host.send("DELETE", `/api/v1/sessions/${show.slug}/players/999999`)).status).toBe(404);
});

test("a removed player does not come back as a new guest where the same press makes a new code", async () => {
  const path = `/api/v1/sessions/${show.slug}`;
  expect((await join(browser, show.joinCode)).status).toBe(201);
  const removed = await host.send("DELETE", `${path}/players/${player.id}?renew_code=true`);
  expect([removed.status, (await browser.get(path)).status]).toEqual([204, 404]);
  expect((await join(await client(), show.joinCode)).status).toBe(404);
  const lines = await read.audit({ sessionId: show.id });
  expect(lines.map(({ action }) => action).slice(-2)).toEqual(["remove_player", "renew_join_code"]);
  expect((await join(await client(), await codeOf(show))).status).toBe(201);
});

const ask = (typed: string) => browser.get(`/api/v1/join_codes/${encodeURIComponent(typed)}`);

test("a code that somebody types is read as people write it, and a wrong one is told what is wrong with it", async () => {
  await db.update(sessions).set({ joinCode: "ABC2EH" }).where(eq(sessions.id, show.id));
  // Spaces, hyphens, small letters, Cyrillic and full-width ones.
  for (const typed of [
    "abc2eh",
    " ABC 2EH ",
    "a-b-c-2-e-h",
    "\u0410\u0412\u04212EH",
    "\uff21\uff22\uff23\uff12\uff25\uff28",
  ])
    expect([typed, (await ask(typed)).status]).toEqual([typed, 200]);
  const wrong = async (typed: string) => {
    const { status, body } = await ask(typed);
    return [status, v.parse(v.object({ error: v.string() }), body)];
  };
  expect(await wrong(" - ")).toMatchObject([404, { error: "Type the code that the host shows." }]);
  expect(await wrong("ABC2E")).toMatchObject([
    404,
    { error: "A code has 6 letters and digits. You typed 5." },
  ]);
  expect(await wrong("ABC20O")).toMatchObject([
    404,
    { error: "Look again: a code has no 0, O, 1, I or L. You typed 0 and O." },
  ]);
  expect(await wrong("ABC2E?")).toMatchObject([
    404,
    { error: "A code has 6 letters and digits. You typed 5." },
  ]);
  expect(await wrong("XXXXXX")).toMatchObject([
    404,
    { error: "No show has the code XXXXXX. Look at the screen again." },
  ]);
});

test("a code that somebody types tells who has not entered the show no more than its name and when it is", async () => {
  expect((await ask(show.joinCode)).body).toEqual({
    session: {
      id: show.id,
      slug: show.slug,
      name: "Anna's wedding",
      description: "",
      state: "running",
      startsAt: null,
      private: true,
      locked: false,
      givenNames: false,
      entered: false,
      team: null,
      teams: [],
      suggested: null,
    },
  });
});

test("codes have letters that nobody can take for one another, each about equally often, and spell no word", async () => {
  const drawn = await queryRows(db, v.object({ code: v.string() }))`
    SELECT new_join_code() AS code FROM generate_series(1, 3000)`;
  const codes = drawn.map(({ code }) => code);
  expect(codes.every((code) => joinCodeFormat.test(code))).toBe(true);
  expect(new Set(codes).size).toBeGreaterThan(2_990);
  expect([...new Set(codes.join(""))].toSorted().join("")).toBe(JOIN_CODE_LETTERS.replaceAll(/[AEU]/g, ""));
});
