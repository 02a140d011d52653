import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { results } from "#db/schema/scores.ts";
import { seasons } from "#db/schema/seasons.ts";
import { excludePlayer, restorePlayer } from "#src/play/leaderboard/exclude-player.ts";
import { findLeaders, findScore, findScores } from "#src/play/leaderboard/find-scores.ts";
import { leadersAnswer, scoresAnswer } from "#src/play/leaderboard/schemas.ts";
import { merging } from "#tests/profiles/merging.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildSeason, play } from "./build-season.ts";

const { deps, db, by, build, server, client } = await testWorld();
const DAY_MS = 86_400_000;
const [admin, ana, ben, cleo] = [
  await build.admin(),
  await build.player(),
  await build.player(),
  await build.player(),
];

type Span = { id: number; startsAt: Date; endsAt: Date };

/** The table of a season as "player wins-losses net streak rank". */
async function tableOf(season: Span) {
  const { scores } = await findScores(deps, { sessionId: null, season, limit: 100, offset: 0 });
  return scores.map(
    ({ userId, wins, losses, netCents, bestStreak, rank }) =>
      `${userId} ${wins}-${losses} ${netCents} ${bestStreak} ${rank}`,
  );
}

/** The same, counted here result by result. */
async function countedIn({ startsAt, endsAt }: Span) {
  const rows = await db.select().from(results).orderBy(results.resolvedAt, results.eventId);
  const inside = rows.filter(({ resolvedAt }) => resolvedAt >= startsAt && resolvedAt < endsAt);
  const players = [...Map.groupBy(inside, ({ userId }) => userId)].map(([userId, own]) => {
    let [streak, bestStreak] = [0, 0];
    for (const { netCents } of own) {
      if (netCents > 0) streak += 1;
      else if (netCents < 0) streak = 0;
      bestStreak = Math.max(bestStreak, streak);
    }
    const wins = own.filter(({ netCents }) => netCents > 0).length;
    const losses = own.filter(({ netCents }) => netCents < 0).length;
    return { userId, wins, losses, netCents: own.reduce((sum, each) => sum + each.netCents, 0), bestStreak };
  });
  return players
    .toSorted(
      (one, other) =>
        other.wins - one.wins ||
        one.losses - other.losses ||
        other.netCents - one.netCents ||
        one.userId - other.userId,
    )
    .map(
      (each, index) =>
        `${each.userId} ${each.wins}-${each.losses} ${each.netCents} ${each.bestStreak} ${index + 1}`,
    );
}

async function withoutSeasons(): Promise<void> {
  await db.delete(seasons);
}

test("what was decided in a season makes its table: whole shows, a show across its edge, and events of no show", async () => {
  const from = new Date(Date.now() - DAY_MS);
  const [first, second] = [await build.runningSession(), await build.runningSession()];
  await play(deps, { sessionId: first.id, winner: ana, loser: ben });
  await play(deps, { sessionId: first.id, winner: ana, loser: cleo });
  await play(deps, { sessionId: second.id, winner: ben, loser: ana });
  await play(deps, { winner: cleo, loser: ben });
  const { after: edge } = await play(deps, {
    sessionId: second.id,
    winner: ana,
    loser: cleo,
    result: "void",
  });
  // Enough to be the first of both halves of the second show.
  for (let count = 0; count < 3; count += 1)
    await play(deps, { sessionId: second.id, winner: cleo, loser: ben });
  const { after: end } = await play(deps, { winner: ben, loser: ana });
  const [one, two] = [await buildSeason(deps, from, edge), await buildSeason(deps, edge, end)];
  expect(await tableOf(one)).toEqual([
    `${ana.id} 2-1 100 2 1`,
    `${cleo.id} 1-1 0 1 2`,
    `${ben.id} 1-2 -100 1 3`,
  ]);
  for (const season of [one, two]) expect(await tableOf(season)).toEqual(await countedIn(season));

  // Both together are all time.
  const whole = { id: 0, startsAt: from, endsAt: end };
  const allTime = await findScores(deps, { sessionId: null, limit: 100, offset: 0 });
  expect((await tableOf(whole)).length).toBe(allTime.totalCount);
  expect(await tableOf(whole)).toEqual(
    allTime.scores.map(
      (each) => `${each.userId} ${each.wins}-${each.losses} ${each.netCents} ${each.bestStreak} ${each.rank}`,
    ),
  );
  await withoutSeasons();
});

test("a corrected result counts for the season in which it was first decided, and one that is decided again after a reset for the season of then", async () => {
  const [dora, emil] = [await build.player(), await build.player()];
  const from = new Date();
  const { id: sessionId } = await build.runningSession();
  const { eventId, after: edge } = await play(deps, { sessionId, winner: dora, loser: emil });
  const [one, two] = [
    await buildSeason(deps, from, edge),
    await buildSeason(deps, edge, new Date(edge.getTime() + DAY_MS)),
  ];
  const winsOf = async (season: Span, { id: userId }: { id: number }) =>
    (await findScore(deps, { sessionId: null, season, userId }))?.wins ?? null;
  expect([await winsOf(one, dora), await winsOf(two, dora)]).toEqual([1, null]);
  await by(admin).settle(eventId, "false", { reason: "Looked again" });
  expect([await winsOf(one, dora), await winsOf(one, emil), await winsOf(two, emil)]).toEqual([0, 1, null]);
  await by(admin).reset(eventId, "Asked wrongly");
  expect([await winsOf(one, dora), await winsOf(one, emil)]).toEqual([null, null]);
  await by(admin).publish(eventId);
  await by(admin).open(eventId);
  await build.call({ userId: dora.id, eventId, side: "true" });
  await build.call({ userId: emil.id, eventId, side: "false" });
  await by(admin).settle(eventId);
  expect([await winsOf(one, dora), await winsOf(two, dora)]).toEqual([null, 1]);
  await withoutSeasons();
});

test("who is excluded everywhere is in no season's table, and returns with everything; who is excluded from one show stays", async () => {
  const [fred, gina] = [await build.player(), await build.player()];
  const from = new Date();
  const { id: sessionId } = await build.runningSession();
  const { after } = await play(deps, { sessionId, winner: fred, loser: gina });
  const season = await buildSeason(deps, from, after);
  const leaders = async () =>
    (await findLeaders(deps, { sessionId: null, season, limit: 10, viewerId: fred.id })).leaders.map(
      ({ userId }) => userId,
    );
  const order = { actor: admin, userId: fred.id, reason: "A robot" };
  await excludePlayer(deps, { ...order, sessionId: String(sessionId) });
  expect(await leaders()).toEqual([fred.id, gina.id]);
  const { exclusion } = await excludePlayer(deps, order);
  expect(await leaders()).toEqual([gina.id]);
  expect(await findLeaders(deps, { sessionId: null, season, limit: 1, viewerId: fred.id })).toMatchObject({
    me: null,
    exclusion: { reason: "A robot" },
    totalCount: 1,
  });
  await restorePlayer(deps, { actor: admin, exclusionId: exclusion.id });
  expect(await leaders()).toEqual([fred.id, gina.id]);
  await withoutSeasons();
});

test("what a merged guest has won in a season is its account's", async () => {
  const { comeIn, buildAccount, playEvent, merge } = await merging(deps, server);
  const from = new Date();
  const { person, id: guestId } = await comeIn();
  const account = await buildAccount();
  await playEvent(guestId, ben.id);
  const season = await buildSeason(deps, from, new Date(Date.now() + DAY_MS));
  await merge(person, account.email);
  expect(await findScore(deps, { sessionId: null, season, userId: guestId })).toBeNull();
  expect(await findScore(deps, { sessionId: null, season, userId: account.id })).toMatchObject({ wins: 1 });
  await withoutSeasons();
});

test("the API lists a season's scores and leaders by its slug, its id and as current, and its dates hold at once when they change", async () => {
  const [hugo, ida] = [await build.player(), await build.player()];
  const from = new Date();
  const { after } = await play(deps, { winner: hugo, loser: ida });
  const season = await buildSeason(deps, from, new Date(Date.now() + DAY_MS));
  const browser = await client(hugo);
  for (const name of [season.slug, season.id, "current"]) {
    expect(
      (await browser.read(`/api/v1/scores?season_id=${name}`, scoresAnswer)).scores.map(
        ({ userId, wins }) => [userId, wins],
      ),
    ).toEqual([
      [hugo.id, 1],
      [ida.id, 0],
    ]);
  }
  const leaders = () => browser.read(`/api/v1/scores/leaders?season_id=${season.id}&limit=1`, leadersAnswer);
  expect(await leaders()).toMatchObject({
    me: { userId: hugo.id, rank: 1, rankChange: null },
    totalCount: 2,
  });
  await db.update(seasons).set({ startsAt: after }).where(eq(seasons.id, season.id));
  expect(await leaders()).toMatchObject({ leaders: [], me: null, totalCount: 0 });
  await withoutSeasons();
});

test("an unknown season is not found, and a season and a session at once are refused", async () => {
  const browser = await client(ana);
  for (const path of ["/api/v1/scores", "/api/v1/scores/leaders"]) {
    for (const name of ["current", "999999", "no-such-season", "Ä"])
      expect((await browser.get(`${path}?season_id=${name}`)).status).toBe(404);
    const { id } = await build.runningSession();
    // The session is read together with the sign-in.
    expect((await browser.get(`${path}?session_id=${id}`)).status).toBe(200);
    expect(await browser.get(`${path}?season_id=current&session_id=${id}`)).toMatchObject({
      status: 422,
      body: { errors: { seasonId: ["can't be combined with a session"] } },
    });
  }
});
