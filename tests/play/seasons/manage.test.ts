import { expect, test } from "bun:test";
import * as v from "valibot";
import { seasons } from "#db/schema/seasons.ts";
import { scoresAnswer } from "#src/play/leaderboard/schemas.ts";
import { seasonAnswer, seasonsAnswer, shownSeasonAnswer } from "#src/play/seasons/schemas.ts";
import { asApplication } from "#tests/support/application.ts";
import { testWorld, worldOf } from "#tests/support/world.ts";
import { buildPrivateShow, play } from "./build-season.ts";

const { deps, db, build, read, timer } = await testWorld();
const { server, client } = worldOf(asApplication(deps));
const [admin, ana, ben] = [await build.admin(), await build.player(), await build.player()];
const host = await client(admin);
const player = await client(ana);
const stranger = await client();
const PATH = "/api/v1/seasons";
const HOUR_MS = 3_600_000;

const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const add = (name: string, from: string, until: string) =>
  host.send("POST", PATH, { season: { name, starts_at: from, ends_at: until } });
const rows = () => db.select().from(seasons).orderBy(seasons.id);

test("an admin names a season, changes it, ends it and deletes it, and each deed is audited", async () => {
  const made = await add("Été 2026", at(-2), at(20));
  expect(made.status).toBe(201);
  const { season } = v.parse(seasonAnswer, made.body);
  expect(season).toMatchObject({ slug: "ete-2026", name: "Été 2026", state: "running" });
  expect(await read.lastAudit()).toMatchObject({
    actorId: admin.id,
    action: "create_season",
    subjectType: "season",
    subjectId: season.id,
    before: {},
    after: { name: "Été 2026" },
  });

  const changed = await host.send("PATCH", `${PATH}/${season.id}`, { season: { name: "Summer" } });
  expect(v.parse(seasonAnswer, changed.body).season).toEqual({ ...season, name: "Summer" });
  expect(await read.lastAudit()).toMatchObject({ action: "change_season", after: { name: "Summer" } });

  const ended = await host.send("PUT", `${PATH}/${season.id}/end`);
  expect(v.parse(seasonAnswer, ended.body).season.state).toBe("ended");
  expect(await read.lastAudit()).toMatchObject({ action: "end_season", subjectId: season.id });
  // The next one begins where it ends.
  const next = await add("Summer", v.parse(seasonAnswer, ended.body).season.endsAt, at(30));
  expect(v.parse(seasonAnswer, next.body).season).toMatchObject({ slug: "summer", state: "running" });
  const again = await add("Summer", at(40), at(50));
  expect(v.parse(seasonAnswer, again.body).season).toMatchObject({ slug: "summer-2", state: "planned" });

  const listed = (await player.read(PATH, seasonsAnswer)).seasons;
  expect(listed.map(({ slug, state }) => [slug, state])).toEqual([
    ["ete-2026", "ended"],
    ["summer", "running"],
    ["summer-2", "planned"],
  ]);
  for (const { id } of listed) expect((await host.send("DELETE", `${PATH}/${id}`)).status).toBe(204);
  expect(await read.lastAudit()).toMatchObject({ action: "delete_season", after: {} });
  expect(await rows()).toEqual([]);
});

test("a season that overlaps another, ends before it starts, or has not begun is refused, and nothing changes", async () => {
  const first = v.parse(seasonAnswer, (await add("First", at(10), at(20))).body).season;
  const second = v.parse(seasonAnswer, (await add("Second", at(20), at(30))).body).season;
  const before = [await rows(), await read.lastAudit()];
  const spans = [
    [at(5), at(11)],
    [at(19), at(40)],
    [at(12), at(13)],
    [at(5), at(40)],
  ] as const;
  for (const [from, until] of spans) {
    const { status, body } = await add("Third", from, until);
    expect([status, body]).toMatchObject([
      422,
      { code: "overlap", detail: expect.stringContaining('"First" is from') },
    ]);
  }
  const refusals = [
    await add("Third", at(50), at(40)),
    await add("Third", "soon", at(40)),
    await add(" ", at(40), at(50)),
    await host.send("PATCH", `${PATH}/${second.id}`, { season: { starts_at: at(19) } }),
    await host.send("PATCH", `${PATH}/${second.id}`, { season: { ends_at: at(19) } }),
    await host.send("PUT", `${PATH}/${first.id}/end`),
  ];
  expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 422));
  expect(refusals[0]?.body).toMatchObject({ errors: { endsAt: ["must be after the start"] } });
  expect(refusals[5]?.body).toMatchObject({
    code: "not_running",
    detail: expect.stringContaining("has not begun"),
  });
  expect([await rows(), await read.lastAudit()]).toEqual(before);
  const doubled: unknown = await deps.pool.sql
    .unsafe(
      "INSERT INTO seasons (slug, name, starts_at, ends_at) SELECT 'x', name, starts_at, ends_at FROM seasons LIMIT 1",
    )
    .catch(String);
  expect(doubled).toContain("seasons_apart");
  await db.delete(seasons);
});

test("strangers see the podium of a season when it has ended, and that it was corrected; until then its name and its dates", async () => {
  const { eventId } = await play(deps, { winner: ana, loser: ben });
  await add("Now", at(-1), at(1));
  const shown = async () => (await stranger.read(`${PATH}/now`, shownSeasonAnswer)).season;
  expect(await shown()).toMatchObject({
    name: "Now",
    state: "running",
    daysLeft: 1,
    playersCount: 2,
    podium: [],
  });
  expect((await stranger.get(PATH)).status).toBe(401);
  expect((await stranger.get("/api/v1/scores?season_id=now")).status).toBe(401);
  const { id } = await shown();
  await host.send("PUT", `${PATH}/${id}/end`);
  const { podium, ...season } = await shown();
  expect(season).toMatchObject({
    state: "ended",
    daysLeft: 0,
    correctedAt: null,
    url: `${deps.env.publicUrl}/seasons/now`,
  });
  expect(podium).toMatchObject([
    { username: ana.username, rank: 1, wins: 1 },
    { username: ben.username, rank: 2, losses: 1 },
  ]);
  expect(Object.keys(podium[0] ?? {})).not.toContain("userId");
  const picture = await server.handle(new Request(`http://localhost:3000${PATH}/${id}/picture.png`));
  expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
  await timer.settle(eventId, "false", { reason: "Looked again" });
  const corrected = await shown();
  expect(corrected.correctedAt).not.toBeNull();
  expect(corrected.podium[0]).toMatchObject({ username: ben.username, rank: 1, wins: 1 });
  await db.delete(seasons);
});

test("a player of private shows alone counts for the table, and is not on the podium that strangers see", async () => {
  const from = new Date().toISOString();
  const { id: sessionId } = await buildPrivateShow(deps, [ana, ben]);
  await play(deps, { sessionId, winner: ana, loser: ben });
  await play(deps, { winner: ben, loser: admin });
  const { season } = v.parse(seasonAnswer, (await add("Closed", from, at(1))).body);
  await host.send("PUT", `${PATH}/${season.id}/end`);
  const shown = (await stranger.read(`${PATH}/closed`, shownSeasonAnswer)).season;
  expect([shown.playersCount, shown.podium.map(({ username }) => username)]).toEqual([
    3,
    [ben.username, admin.username],
  ]);
  expect(
    (await player.read("/api/v1/scores?season_id=closed", scoresAnswer)).scores.map(({ userId }) => userId),
  ).toEqual([ana.id, ben.id, admin.id]);
});
