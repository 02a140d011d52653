import { beforeAll, expect, test } from "bun:test";
import type { Side } from "#db/lists/spots.ts";
import { listCalls } from "#src/play/calls/list-calls.ts";
import type { CallsQuery } from "#src/play/calls/schemas.ts";
import { findScore } from "#src/play/leaderboard/find-scores.ts";
import { compareScores } from "#src/play/leaderboard/repair-scores.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, by, build } = await testWorld();
const [admin, ana, ben] = [await build.admin(), await build.player(), await build.player()];
const friday = await build.runningSession();
const other = await build.runningSession();

type Result = "true" | "false" | "void";
type Played = { title: string; sessionId: number; sides: readonly Side[]; result: Result };

/** An event on which ana calls these sides, and ben one on each. */
async function play({ title, sessionId, sides, result }: Played): Promise<number> {
  const { id: eventId } = await build.event("open", { sessionId, title });
  for (const side of ["true", "false"] as const) await build.call({ userId: ben.id, eventId, side });
  for (const side of sides) await build.call({ userId: ana.id, eventId, side, wagerCents: 200 });
  await by(admin).close(eventId);
  await by(admin).settle(eventId, result);
  return eventId;
}

/** The title and the streak of each of ana's calls, oldest first. */
async function streaksOf(query: CallsQuery = {}, page = { page: 1, perPage: 100, offset: 0 }) {
  const { calls } = await listCalls(db, { viewer: ana, query, page }, { now: new Date(), asker: "host" });
  return calls.map(({ eventTitle, streak }) => `${eventTitle} ${streak}`).toReversed();
}

const eventIds = new Map<string, number>();

beforeAll(async () => {
  const shows: readonly Played[] = [
    { title: "one", sessionId: friday.id, sides: ["true"], result: "true" },
    { title: "two", sessionId: friday.id, sides: ["false"], result: "false" },
    { title: "elsewhere", sessionId: other.id, sides: ["true"], result: "true" },
    { title: "void", sessionId: friday.id, sides: ["true"], result: "void" },
    { title: "not called", sessionId: friday.id, sides: [], result: "true" },
    { title: "twice", sessionId: friday.id, sides: ["true", "true"], result: "true" },
    { title: "lost", sessionId: friday.id, sides: ["true"], result: "false" },
    { title: "again", sessionId: friday.id, sides: ["true"], result: "true" },
  ];
  for (const show of shows) eventIds.set(show.title, await play(show));
});

test("each won call says how many events of its session were won in a row, up to its own", async () => {
  expect(await streaksOf()).toEqual([
    "one 1",
    "two 2",
    "elsewhere 1",
    "void 0",
    "twice 3",
    "twice 3",
    "lost 0",
    "again 1",
  ]);
});

test("a filter and a page leave events out of the list, not out of the streaks", async () => {
  const query = { sessionId: String(friday.id), outcome: "won" } as const;
  expect(await streaksOf(query)).toEqual(["one 1", "two 2", "twice 3", "twice 3", "again 1"]);
  expect(await streaksOf(query, { page: 2, perPage: 2, offset: 2 })).toEqual(["two 2", "twice 3"]);
});

test("a correction counts, from the event on that it corrects", async () => {
  const correct = (result: Result) =>
    by(admin).settle(eventIds.get("two") ?? 0, result, { reason: "Looked again." });
  await correct("true");
  const query = { sessionId: String(friday.id) };
  expect(await streaksOf(query)).toEqual([
    "one 1",
    "two 0",
    "void 0",
    "twice 1",
    "twice 1",
    "lost 0",
    "again 1",
  ]);
  await correct("false");
  expect(await streaksOf(query)).toContain("twice 3");
});

test("being right goes on with a streak where nobody took the other side, and being wrong there does not break it: in the history and in the leaders", async () => {
  const { id: sessionId } = await build.runningSession();
  const playAlone = async (title: string, result: "true" | "false") => {
    const { id: eventId } = await build.event("open", { sessionId, title });
    await build.call({ userId: ana.id, eventId, side: "true" });
    await by(admin).settle(eventId, result);
    return eventId;
  };
  const score = async () => {
    expect(await compareScores(db)).toEqual({ results: 0, scores: 0 });
    return findScore(deps, { sessionId, userId: ana.id });
  };
  await play({ title: "first", sessionId, sides: ["true"], result: "true" });
  const right = await playAlone("right", "true");
  expect(await score()).toMatchObject({ wins: 1, currentStreak: 2, bestStreak: 2 });
  await playAlone("wrong", "false");
  await play({ title: "last", sessionId, sides: ["true"], result: "true" });
  expect(await streaksOf({ sessionId: String(sessionId) })).toEqual([
    "first 1",
    "right 2",
    "wrong 0",
    "last 3",
  ]);
  expect(await score()).toMatchObject({ wins: 2, currentStreak: 3, bestStreak: 3 });
  for (const [result, streak] of [
    ["false", 2],
    ["true", 3],
  ] as const) {
    await by(admin).settle(right, result, { reason: "Looked again." });
    expect(await score()).toMatchObject({ wins: 2, currentStreak: streak, bestStreak: streak });
  }
});
