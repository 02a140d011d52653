import { expect, test } from "bun:test";
import * as v from "valibot";
import { exclusions } from "#db/schema/exclusions.ts";
import { compareScores } from "#src/play/leaderboard/repair-scores.ts";
import {
  exclusionAnswer,
  exclusionsAnswer,
  leadersAnswer,
  scoresAnswer,
} from "#src/play/leaderboard/schemas.ts";
import { auditAnswer } from "#src/show/sessions/schemas.ts";
import { type BuiltUser } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, timer, build, client, read } = await testWorld();
const session = await build.runningSession();
const [admin, ana, ben] = [await build.admin(), await build.player(), await build.player()];
await play();

/** Ana wins against Ben. */
async function play(): Promise<void> {
  const event = await build.event("open", { sessionId: session.id });
  await build.call({ userId: ana.id, eventId: event.id, side: "true" });
  await build.call({ userId: ben.id, eventId: event.id, side: "false" });
  await timer.settle(event.id);
}

async function leadersFor(user: BuiltUser, query = "") {
  const browser = await client(user);
  const { leaders, ...rest } = await browser.read(`/api/v1/scores/leaders${query}`, leadersAnswer);
  return { leaders: leaders.map(({ userId, rank }) => [userId, rank]), ...rest };
}

async function exclude(body: Record<string, unknown>) {
  const browser = await client(admin);
  return browser.send("POST", "/api/v1/scores/exclusions", { exclusion: body });
}

async function restore(id: number) {
  const browser = await client(admin);
  return browser.send("DELETE", `/api/v1/scores/exclusions/${id}`);
}

test("an excluded player is not ranked, reads why, and returns with everything counted meanwhile", async () => {
  const inSession = `?session_id=${session.slug}`;
  const answer = await exclude({ userId: ana.id, sessionId: session.slug, reason: "Saw it early" });
  expect(answer.status).toBe(201);
  const { exclusion } = v.parse(exclusionAnswer, answer.body);
  expect(exclusion).toMatchObject({
    userId: ana.id,
    username: ana.username,
    sessionId: session.id,
    sessionName: session.name,
    reason: "Saw it early",
    excludedBy: admin.username,
  });

  expect(await leadersFor(ana, inSession)).toEqual({
    leaders: [[ben.id, 1]],
    me: null,
    exclusion: { sessionId: session.id, reason: "Saw it early" },
    totalCount: 1,
  });
  expect(await leadersFor(ben, inSession)).toMatchObject({ leaders: [[ben.id, 1]], exclusion: null });
  expect(await leadersFor(ana)).toMatchObject({
    leaders: [
      [ana.id, 1],
      [ben.id, 2],
    ],
    exclusion: null,
  });
  const browser = await client(ben);
  const listed = await browser.get(`/api/v1/scores${inSession}&user_id=${ana.id}`);
  expect(v.parse(scoresAnswer, listed.body).scores).toEqual([]);

  await play();
  expect(await compareScores(db)).toEqual({ results: 0, scores: 0 });
  expect(await leadersFor(ana, inSession)).toMatchObject({ leaders: [[ben.id, 1]], me: null });
  expect((await restore(exclusion.id)).status).toBe(204);
  expect(await leadersFor(ana, inSession)).toMatchObject({
    leaders: [
      [ana.id, 1],
      [ben.id, 2],
    ],
    me: { wins: 2, currentStreak: 2, rank: 1, rankChange: 0 },
    exclusion: null,
  });
  const host = await client(admin);
  const { audit: lines } = await host.read(`/api/v1/sessions/${session.slug}/audit`, auditAnswer);
  const actor = { id: admin.id, username: admin.username };
  const subject = { type: "user", id: ana.id };
  expect(lines.filter(({ subject: { type } }) => type === "user")).toMatchObject([
    { actor, action: "readmit", subject, reason: null },
    { actor, action: "exclude", subject, reason: "Saw it early" },
  ]);
});

test("a player excluded everywhere is on no leaderboard, and is listed for every session", async () => {
  const { exclusion } = v.parse(exclusionAnswer, (await exclude({ userId: ana.id, reason: "A robot" })).body);
  for (const query of ["", `?session_id=${session.slug}`]) {
    expect(await leadersFor(ana, query)).toMatchObject({
      leaders: [[ben.id, 1]],
      me: null,
      exclusion: { sessionId: null, reason: "A robot" },
    });
    const browser = await client(admin);
    const { exclusions: listed } = await browser.read(`/api/v1/scores/exclusions${query}`, exclusionsAnswer);
    expect(listed).toEqual([exclusion]);
  }
  await restore(exclusion.id);
});

test("an invalid exclusion is refused, and nothing changes", async () => {
  const { exclusion } = v.parse(
    exclusionAnswer,
    (await exclude({ userId: ben.id, sessionId: session.id, reason: "Twice" })).body,
  );
  const refusals = [
    {
      body: { userId: ben.id, sessionId: session.slug, reason: "Again" },
      status: 422,
      errors: { user: ["has already been taken"] },
    },
    { body: { userId: 999_999, reason: "Nobody" }, status: 422, errors: { user: ["must exist"] } },
    { body: { userId: ana.id, reason: " " }, status: 422, errors: { reason: ["can't be blank"] } },
    { body: { userId: ana.id, sessionId: "nowhere", reason: "Where?" }, status: 404, errors: undefined },
  ];
  for (const { body, status, errors } of refusals) {
    const answer = await exclude(body);
    expect(answer).toMatchObject(errors === undefined ? { status } : { status, body: { errors } });
  }
  expect(await db.$count(exclusions)).toBe(1);
  await restore(exclusion.id);
});

test("admins recompute the scores, get the number of repaired players, and it is audited", async () => {
  const browser = await client(admin);
  const recompute = async (query = "") =>
    (await browser.send("PUT", `/api/v1/scores/recompute${query}`)).body;
  expect(await recompute()).toEqual({ recomputation: { mendedPlayersCount: 0 } });
  await deps.pool.sql`UPDATE scores SET wins = wins + 5, net_cents = net_cents + 5 WHERE user_id = ${ben.id}`;
  expect(await recompute(`?session_id=${session.slug}`)).toEqual({
    recomputation: { mendedPlayersCount: 1 },
  });
  expect(await leadersFor(ben)).toMatchObject({
    leaders: [
      [ana.id, 1],
      [ben.id, 2],
    ],
    me: { wins: 0 },
  });
  expect(await compareScores(db)).toEqual({ results: 0, scores: 0 });
  expect(await read.lastAudit()).toMatchObject({
    actorId: admin.id,
    action: "recompute_scores",
    sessionId: session.id,
    after: { mendedPlayersCount: 1 },
  });
  expect((await browser.send("PUT", "/api/v1/scores/recompute?session_id=nowhere")).status).toBe(404);
});
