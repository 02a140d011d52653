import { expect, test } from "bun:test";
import * as v from "valibot";
import { leadersAnswer, scoresAnswer } from "#src/play/leaderboard/schemas.ts";
import { testWorld } from "#tests/support/world.ts";

const { timer, build, client } = await testWorld();
const session = await build.runningSession();
const [ana, ben] = [await build.player(), await build.player()];
const event = await build.event("open", { sessionId: session.id });
await build.call({ userId: ana.id, eventId: event.id, side: "true" });
await build.call({ userId: ben.id, eventId: event.id, side: "false" });
await timer.settle(event.id);

test("the leaders of a session are listed by its id or slug, with the viewer's own score", async () => {
  const browser = await client(ben);
  for (const key of [session.id, session.slug]) {
    const { status, body } = await browser.get(`/api/v1/scores/leaders?session_id=${key}&limit=1`);
    expect(status).toBe(200);
    const { leaders, me, totalCount } = v.parse(leadersAnswer, body);
    expect(leaders.map(({ username, wins, rank }) => ({ username, wins, rank }))).toEqual([
      { username: ana.username, wins: 1, rank: 1 },
    ]);
    expect(me).toMatchObject({ userId: ben.id, losses: 1, rank: 2, sessionId: session.id, net: -1 });
    expect(totalCount).toBe(2);
  }
});

test("the leaderboard has pages; a player without results has no score", async () => {
  const browser = await client(await build.player());
  const { scores, meta } = await browser.read("/api/v1/scores?page=2&per_page=1", scoresAnswer);
  expect(scores.map(({ userId, sessionId }) => ({ userId, sessionId }))).toEqual([
    { userId: ben.id, sessionId: null },
  ]);
  expect(meta).toMatchObject({ currentPage: 2, perPage: 1, totalPages: 2, totalCount: 2 });
  const { me } = await browser.read("/api/v1/scores/leaders", leadersAnswer);
  expect(me).toBeNull();
});

test("one player's score can be read alone, with its rank among all", async () => {
  const browser = await client(ana);
  const scoreOf = async (query: string) => (await browser.get(`/api/v1/scores?${query}`)).body;
  expect(await scoreOf(`user_id=${ben.id}`)).toMatchObject({
    scores: [{ userId: ben.id, sessionId: null, losses: 1, rank: 2 }],
    meta: { totalCount: 1 },
  });
  expect(await scoreOf(`user_id=${ben.id}&session_id=${session.slug}`)).toMatchObject({
    scores: [{ userId: ben.id, sessionId: session.id, rank: 2 }],
  });
  const unplayed = await build.player();
  expect(await scoreOf(`user_id=${unplayed.id}`)).toMatchObject({ scores: [], meta: { totalCount: 0 } });
  expect(await scoreOf("user_id=987654")).toMatchObject({ code: "not_found" });
  expect((await browser.get("/api/v1/scores?user_id=ana")).status).toBe(422);
});
