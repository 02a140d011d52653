import { expect, test } from "bun:test";
import { exclusions } from "#db/schema/exclusions.ts";
import { createServer } from "#src/server.ts";
import { activateSession, deactivateSession } from "#src/show/sessions/activate-session.ts";
import { buildAdmin, buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { readerFor } from "./browser.ts";
import { all, parsePage, textsOf } from "./parse-page.ts";

const deps = await testDeps();
const server = createServer(deps);
const [ana, ben] = [await buildPlayer(deps), await buildPlayer(deps)];
const admin = await readerFor(deps, server, await buildAdmin(deps));
const player = await readerFor(deps, server, ana);
const session = await buildRunningSession(deps, { slug: "friday-derby", name: "Friday Derby" });
await deactivateSession(deps, { sessionId: session.id, actor: null });
const event = await buildEvent(deps, "open", { sessionId: session.id });
await buildCall(deps, { userId: ana.id, eventId: event.id, side: "true" });
await buildCall(deps, { userId: ben.id, eventId: event.id, side: "false" });
await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });

const UNOPPOSED = "A right call that nobody opposed counts as neither Won nor Lost.";
const LEADERS = "/sessions/friday-derby/leaders";

test("an admin recomputes the scores without JavaScript, and reads the result", async () => {
  expect((await admin.sendForm("/leaderboard", { intent: "recompute" })).html).toContain("Nothing differed.");
  await deps.pool.sql`UPDATE scores SET wins = wins + 1 WHERE user_id = ${ben.id}`;
  const { status, html } = await admin.sendForm(LEADERS, {
    intent: "recompute",
    session_id: "friday-derby",
  });
  expect(status).toBe(200);
  expect(html).toContain("Corrected 1 player.");
});

test("the Action page shows the rank as a link to the leaders, and the pages around it show the way back", async () => {
  const { html } = await player.open("/sessions/friday-derby");
  const [rank] = /<a class="my-rank"[^>]*href="\/sessions\/friday-derby\/leaders".*?<\/a>/.exec(html) ?? [];
  expect(rank?.replaceAll(/<.*?>/g, "")).toBe("My rank: 1 of 2new");
  const around = (await player.open("/sessions/friday-derby/history")).html;
  expect(around).toMatch(/<aside class="live-bar"[^>]*><a href="\/sessions\/friday-derby"/);
  expect((await player.open("/profile/wallet")).html).not.toContain('class="live-bar"');
  await activateSession(deps, { sessionId: session.id, actor: null });
  const wallet = await player.open("/profile/wallet");
  await deactivateSession(deps, { sessionId: session.id, actor: null });
  expect(wallet.html).toMatch(/<aside class="live-bar"[^>]*><a href="\/sessions\/friday-derby"/);
  // Admins have tabs for both.
  for (const path of ["/sessions/friday-derby", "/sessions/friday-derby/history"])
    expect((await admin.open(path)).html).not.toMatch(/class="(my-rank|live-bar)"/);
});

test("the leaders are the players, and below them the teams; the board says what counts as neither Won nor Lost", async () => {
  const show = await buildRunningSession(deps, {
    slug: "team-night",
    settings: { teams: ["Foxes", "Owls"] },
  });
  await deactivateSession(deps, { sessionId: show.id, actor: null });
  const asked = await buildEvent(deps, "open", { sessionId: show.id });
  await buildCall(deps, { userId: ana.id, eventId: asked.id, side: "true" });
  await buildCall(deps, { userId: ben.id, eventId: asked.id, side: "false" });
  await resolveAndPay(deps, { eventId: asked.id, actor: null, result: "true" });
  for (const reader of [player, admin]) {
    const page = parsePage((await reader.open("/sessions/team-night/leaders")).html);
    expect(textsOf(page, ".scores thead th").filter((head) => ["Won", "Lost"].includes(head))).toHaveLength(
      2,
    );
    expect(page.body.textContent).toContain(UNOPPOSED);
    const inOrder = all(page, '.scores, form[aria-label="Teams"]').map(({ className }) => className);
    expect(inOrder).toEqual(["panel scores", "panel"]);
  }
  expect((await player.open("/leaderboard")).html).toContain(UNOPPOSED);
});

test("an excluded player sees the reason on the leaders, the leaderboard and the own record", async () => {
  const done = await admin.sendForm(LEADERS, {
    intent: "exclude",
    session_id: "friday-derby",
    user_id: String(ana.id),
    reason: "Saw it early",
  });
  expect([done.status, done.location]).toEqual([303, LEADERS]);
  const here = await player.open(LEADERS);
  expect(here.html).toContain("You are not ranked here: Saw it early");
  expect(here.html).not.toContain(`${ana.username} (you)`);
  expect((await player.open("/leaderboard")).html).toContain(`${ana.username} (you)`);
  expect((await admin.open(LEADERS)).html).toContain("From Friday Derby");

  await admin.sendForm("/leaderboard", { intent: "exclude", user_id: String(ana.id), reason: "A robot" });
  expect((await player.open("/leaderboard")).html).toContain("You are not ranked here: A robot");
  const record = await player.open(`/leaderboard/${ana.id}`);
  expect(record.html).toContain("You are not on the leaderboard: A robot");
  expect(record.html).not.toContain("Exclude");
  const seenByAdmin = await admin.open(`/leaderboard/${ana.id}`);
  expect(seenByAdmin.html).toContain("Saw it early");

  for (const { id } of await deps.pool.db.select().from(exclusions)) {
    await admin.sendForm("/leaderboard", { intent: "readmit", exclusion_id: String(id) });
  }
  expect((await player.open(LEADERS)).html).toContain(`${ana.username} (you)`);
});

test("players see none of these forms, and sending one is refused and changes nothing", async () => {
  const { html } = await player.open("/leaderboard");
  expect(html).not.toContain("Recompute");
  expect(html).not.toContain("Exclude a player");
  const form = { intent: "exclude", user_id: String(ben.id), reason: "Mine" };
  expect((await player.sendForm("/leaderboard", form)).status).toBe(403);
  expect((await player.sendForm("/leaderboard", { intent: "recompute" })).status).toBe(403);
  expect(await deps.pool.db.$count(exclusions)).toBe(0);
});

test("a refused form shows the error and stores nothing", async () => {
  const form = { intent: "exclude", user_id: String(ben.id), reason: "" };
  const { status, html } = await admin.sendForm("/leaderboard", form);
  expect(status).toBe(422);
  expect(html).toContain("Validation failed: Reason");
  expect(await deps.pool.db.$count(exclusions)).toBe(0);
});
