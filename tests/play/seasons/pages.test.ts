import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { seasons } from "#db/schema/seasons.ts";
import { users } from "#db/schema/users.ts";
import { showSeason } from "#src/play/seasons/show-season.ts";
import { seasonScene } from "#src/shares/lay-out-scene.ts";
import { deactivateSession } from "#src/show/sessions/activate-session.ts";
import { Reader, readerFor } from "#tests/pages/ssr/browser.ts";
import { linksOf, oneOf, parsePage, textsOf } from "#tests/pages/ssr/parse-page.ts";
import { testWorld } from "#tests/support/world.ts";
import { play } from "./build-season.ts";

const PATH = "/admin/seasons";
const { deps, db, build, server, read, timer } = await testWorld();
const [admin, ana, ben] = [await build.admin(), await build.player(), await build.player()];
const host = await readerFor(deps, server, admin);
const player = await readerFor(deps, server, ana);
const stranger = new Reader(server);
const visitor = await build.player();
const guest = await readerFor(deps, server, visitor);
await db.update(users).set({ guest: true }).where(eq(users.id, visitor.id));

/** A time as it is typed in the zone UTC. */
const typed = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16);
const terms = (name: string, from: number, until: number) => ({
  name,
  time_zone: "UTC",
  starts_at: typed(from),
  ends_at: typed(until),
});

test("without JavaScript an admin names a season, changes it and ends it, and reads why another is refused", async () => {
  const added = await host.sendForm(PATH, { intent: "add", ...terms("Winter", -1, 9) });
  expect([added.status, added.location]).toEqual([303, `${PATH}?done=added`]);
  const { id } = await read.row(seasons);
  const refused = await host.sendForm(PATH, { intent: "add", ...terms("Spring", 5, 20) });
  expect(refused.status).toBe(422);
  const form = parsePage(refused.html);
  expect(oneOf(form, ".note.bad").textContent).toContain('"Winter" is from');
  expect(oneOf(form, "#new-name").getAttribute("value")).toBe("Spring");
  expect(await db.$count(seasons)).toBe(1);

  const changed = await host.sendForm(PATH, {
    intent: "change",
    id: String(id),
    ...terms("Winter games", -2, 9),
  });
  expect(changed.location).toBe(`${PATH}?done=changed`);
  expect(await read.row(seasons)).toMatchObject({ name: "Winter games", slug: "winter" });
  const listed = parsePage((await host.open(changed.location ?? "")).html);
  expect(textsOf(listed, ".token-row .pill")).toEqual(["Running"]);
  const ended = await host.sendForm(PATH, { intent: "end", id: String(id) });
  expect(ended.location).toBe(`${PATH}?done=ended`);
  const removed = await host.sendForm(PATH, { intent: "remove", id: String(id) });
  expect(removed.location).toBe(`${PATH}?done=removed`);
  expect(await db.$count(seasons)).toBe(0);
});

test("the leaderboard has three tabs as links, and says what will be in the table of a season", async () => {
  const session = await build.runningSession();
  await deactivateSession(deps, { sessionId: session.id, actor: null });
  const tabs = async (path: string) => {
    const page = parsePage((await player.open(path)).html);
    return [linksOf(page, ".seg a"), textsOf(page, '.seg a[aria-current="page"]')];
  };
  const [allTime, season] = ["All time /leaderboard", "This season /seasons/current"];
  const ofSession = `This session /sessions/${session.slug}/leaders`;
  expect(await tabs("/leaderboard")).toEqual([[allTime, season], ["All time"]]);
  expect(await tabs(`/sessions/${session.slug}/leaders`)).toEqual([
    [allTime, season, ofSession],
    ["This session"],
  ]);
  expect(await tabs("/seasons/current")).toEqual([[allTime, season], ["This season"]]);
  const { html, status } = await player.open("/seasons/current");
  expect([status, oneOf(parsePage(html), ".blank h2").textContent]).toEqual([200, "No season is running"]);
});

test("a season's page is its table while it runs, and its podium when it has ended, with what a preview of its link says; it names a correction after that", async () => {
  const { eventId } = await play(deps, { winner: ana, loser: ben });
  await host.sendForm(PATH, { intent: "add", ...terms("Winter", -1, 9) });
  const current = await player.open("/seasons/current");
  expect([current.status, current.location]).toEqual([302, "/seasons/winter"]);
  const running = parsePage((await player.open("/seasons/winter")).html);
  expect(running.body.textContent).toContain("9 days left");
  expect(textsOf(running, ".scores tbody td:first-child")).toEqual(["1", "2"]);
  expect(textsOf(running, '.seg a[aria-current="page"]')).toEqual(["This season"]);
  const before = await stranger.open("/seasons/winter");
  expect(before.status).toBe(200);
  expect(before.html).toContain("its podium is here for everybody");
  for (const { username } of [ana, ben]) expect(before.html).not.toContain(username);
  const asGuest = parsePage((await guest.open("/seasons/winter")).html);
  for (const { username } of [ana, ben]) expect(asGuest.body.textContent).not.toContain(username);
  expect(linksOf(asGuest, "main a")).toContain("Create an account to see the table of all players. /guest");

  const { id } = await read.row(seasons);
  await host.sendForm(PATH, { intent: "end", id: String(id) });
  const { html } = await stranger.open("/seasons/winter");
  const page = parsePage(html);
  expect(textsOf(page, ".podium-three .clip")).toEqual([ana.username, ben.username]);
  expect(page.querySelectorAll(".scores").length).toBe(0);
  const meta = (name: string) => oneOf(page, `meta[property="og:${name}"]`).getAttribute("content");
  expect(meta("title")).toBe("Winter");
  expect(meta("description")).toBe(`1 ${ana.username}, 2 ${ben.username}. 2 players played.`);
  expect(meta("image")).toBe(`${deps.env.publicUrl}/api/v1/seasons/${id}/picture.png`);
  expect(meta("url")).toBe(`${deps.env.publicUrl}/seasons/winter`);
  expect((await stranger.open("/seasons/no-such-season")).status).toBe(404);

  const warning = "With an end that is still to come, it is gone until then.";
  expect((await host.open(PATH)).html).toContain(warning);
  expect(html).not.toContain("Corrected on");
  await timer.settle(eventId, "false", { reason: "Looked again" });
  const corrected = parsePage((await stranger.open("/seasons/winter")).html);
  expect(textsOf(corrected, ".podium-three .clip")).toEqual([ben.username, ana.username]);
  expect(corrected.body.textContent).toContain("a result was put right after the end");
  const drawn = JSON.stringify(seasonScene(await showSeason(deps, String(id))));
  expect(drawn).toContain(", corrected ");
  expect(drawn).toMatch(/ to \d+ \w+ \d{4}, UTC/);
});
