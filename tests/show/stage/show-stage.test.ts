import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import {
  initialStageState,
  reduceStageState,
  type StageChange,
  type StageSnapshot,
} from "#client/screens/stage/stage-state.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { arrivedKey } from "#src/base/redis-keys.ts";
import { connectRedis } from "#src/base/redis.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { destroyMessage } from "#src/play/chat/moderate-chat.ts";
import { excludePlayer } from "#src/play/leaderboard/exclude-player.ts";
import { joinUrlOf } from "#src/show/join-codes/join-code.ts";
import { activateSession } from "#src/show/sessions/activate-session.ts";
import { auditAnswer } from "#src/show/sessions/schemas.ts";
import { stageAnswer, type StageAnswer, type StageMessage } from "#src/show/stage/schemas.ts";
import { showStage } from "#src/show/stage/show-stage.ts";
import { buildActionState, buildEvent, inSeconds } from "#tests/client/events/action-states.ts";
import { buildMessage } from "#tests/play/chat/fixtures.ts";
import type { TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, by, timer, build, server, client, unchanged, set } = await testWorld();

const open = (path: string, accept = "text/html") =>
  server.handle(new Request(`http://localhost:3000${path}`, { headers: { accept } }));
const read = async (slug: string): Promise<StageAnswer> =>
  v.parse(stageAnswer, await (await open(`/api/v1/sessions/${slug}/stage`, "application/json")).json());

test("the big screen of a live session is open to signed-out viewers, with the question and the code, and no controls", async () => {
  const { session, event } = await build.openShow({ title: "Goal in the first half?" });
  const response = await open(`/sessions/${session.slug}/stage`);
  expect(response.status).toBe(200);
  const html = await response.text();
  const app = html.slice(html.indexOf('id="root"'), html.indexOf('id="loaded"'));
  expect(app).toContain(event.title);
  expect(app).toContain("QR code: join");
  // The front page leads to the session where players are sent, so its address is enough.
  expect(app).toContain(
    '<span class="address"><span>localhost:3000/</span><wbr/><span>join</span><wbr/></span>',
  );
  expect(app).not.toMatch(/<(button|form|input|a|header|nav)\b/);
});

test("it names the leaders by their scores, and neither emails nor wallets", async () => {
  const { id: sessionId, slug } = await build.runningSession();
  const { id: eventId } = await build.event("open", { sessionId, durationSeconds: 600 });
  const players = await Promise.all(Array.from({ length: 5 }, () => build.player()));
  for (const [index, { id: userId }] of players.entries()) {
    await build.call({ userId, eventId, side: index === 0 ? "true" : "false" });
  }
  await timer.settle(eventId);
  const answer = await read(slug);
  expect(answer.leaders).toHaveLength(5);
  expect(answer.leaders[0]).toMatchObject({ userId: players[0]?.id, rank: 1, wins: 1 });
  expect(answer.playersCount).toBe(5);
  const text = await (await open(`/api/v1/sessions/${slug}/stage`, "application/json")).text();
  expect(text).not.toMatch(/email|wallet|balance|@/i);
  const html = await (await open(`/sessions/${slug}/stage`)).text();
  for (const { email } of players) expect(html).not.toContain(email);
});

test("its chat is the newest messages that are not deleted, and none once the session is over", async () => {
  const { id: sessionId, slug } = await build.runningSession();
  const { id: userId } = await build.player();
  const first = await buildMessage(deps, { sessionId, userId, body: "First" });
  const second = await buildMessage(deps, { sessionId, userId, body: "Second" });
  expect((await read(slug)).messages.map(({ body }) => body)).toEqual(["First", "Second"]);
  const admin = await build.admin();
  await destroyMessage(deps, { messageId: second, actor: admin });
  expect((await read(slug)).messages.map(({ id }) => id)).toEqual([first]);
  await timer.stop(sessionId);
  expect((await read(slug)).messages).toEqual([]);
});

const arrive = async (sessionId: number, userIds: readonly number[]) => {
  for (const [at, id] of userIds.entries())
    await deps.redis.zadd(arrivedKey(deps.redis, sessionId), at, String(id));
};
const lobby = async () => {
  await db.update(sessions).set({ active: false });
  const { id: sessionId, slug } = await build.session({ name: "The Friday derby" });
  await activateSession(deps, { sessionId, actor: null });
  return { sessionId, slug };
};

test("before the start it names who has come, in their order, without who has left the product", async () => {
  const { sessionId, slug } = await lobby();
  expect((await read(slug)).arrivals).toEqual({ count: 0, players: [] });
  const players = await Promise.all([build.player(), build.player(), build.player()]);
  await arrive(
    sessionId,
    players.toReversed().map(({ id }) => id),
  );
  const { arrivals } = await read(slug);
  expect(arrivals?.players.map(({ userId }) => userId)).toEqual(players.toReversed().map(({ id }) => id));
  await set(users, players[1].id, {
    deletedAt: new Date(),
    deactivatedAt: new Date(),
    email: null,
  });
  const html = await (await open(`/sessions/${slug}/stage`)).text();
  expect(html).toContain('<b class="num">2</b> <span>players are in</span>');
  expect(html).toContain(players[0].username);
  expect(html).not.toContain(players[1].username);
});

test("before the start it says when that is, or that the host starts it, and how to join by a short address", async () => {
  const { sessionId, slug } = await lobby();
  const texts = async () => (await (await open(`/sessions/${slug}/stage`)).text()).replaceAll(/<[^>]*>/g, "");
  expect(await texts()).toContain("Starts when the host starts it.");
  const startAt = (minutes: number) =>
    set(sessions, sessionId, {
      startsAt: sql`clock_timestamp() + make_interval(mins => ${minutes}::int)`,
    });
  await startAt(60);
  expect(await texts()).toMatch(/Starts in (1:00:00|59:\d\d)/);
  await startAt(-1);
  expect(await texts()).toContain("Starts any moment now.");
  expect(await texts()).toMatch(/Scan to playlocalhost:3000\/join[2-9A-Z]{3} [2-9A-Z]{3}\n/);
});

test("before the start, while Redis is away, nobody knows who has come, and the rest is shown", async () => {
  const { slug } = await lobby();
  const redis = connectRedis("redis://127.0.0.1:1", "commands");
  const { arrivals, joinCode, joinUrl } = await showStage({ ...deps, redis }, slug);
  redis.disconnect();
  expect([arrivals, joinUrl]).toEqual([null, joinUrlOf(deps.env, joinCode)]);
});

test("after a result: it says how many were right and who has won most, but for who is excluded, and at the end the figures", async () => {
  const { id: sessionId, slug } = await build.runningSession();
  const { id: eventId } = await build.event("open", { sessionId, durationSeconds: 600 });
  const [ana, ben, cem] = await Promise.all([build.player(), build.player(), build.player()]);
  await build.call({ userId: ana.id, eventId, side: "true", wagerCents: 400 });
  await build.call({ userId: ben.id, eventId, side: "true", wagerCents: 200 });
  await build.call({ userId: cem.id, eventId, side: "false", wagerCents: 300 });
  expect((await read(slug)).outcome).toBeNull();
  await timer.settle(eventId);
  const outcome = { eventId, playersCount: 3, rightCount: 2 };
  const win = { userId: ana.id, username: ana.username, eventId, net: 2, netCents: 200 };
  expect((await read(slug)).outcome).toEqual({ ...outcome, biggestWin: win });
  expect((await (await open(`/sessions/${slug}/stage`)).text()).replaceAll("<!-- -->", "")).toContain(
    `Biggest win: +$2.00</span> <bdi>${ana.username}</bdi>`,
  );
  const admin = await build.admin();
  const exclude = { userId: ana.id, sessionId: slug, reason: "Sits with the referee" };
  await excludePlayer(deps, { ...exclude, actor: admin });
  expect((await read(slug)).outcome?.biggestWin).toMatchObject({ userId: ben.id, netCents: 100 });
  await timer.stop(sessionId);
  expect((await read(slug)).evening).toMatchObject({
    playersCount: 3,
    eventsCount: 1,
    callsCount: 3,
    wageredCents: 900,
    biggestWin: { userId: ben.id },
    mostWon: { userId: ben.id, username: ben.username, net: 1, netCents: 100 },
    longestStreak: { username: ben.username, length: 1 },
  });
});

test("after a result: who was right counts also where nobody took the other side, and a voided event has no figures", async () => {
  const { id: sessionId, slug } = await build.runningSession();
  const alone = await build.event("open", { sessionId, durationSeconds: 600 });
  await build.call({ userId: (await build.player()).id, eventId: alone.id, side: "false" });
  await timer.settle(alone.id, "false");
  expect((await read(slug)).outcome).toMatchObject({ playersCount: 1, rightCount: 1, biggestWin: null });
  await timer.settle(alone.id, "void", { reason: "The video was wrong" });
  expect((await read(slug)).outcome).toBeNull();
});

const minuteAgo = sql`clock_timestamp() - interval '1 minute'`;

test("for the scenes of results it says when each was decided, and when it was corrected and from what, the newest first", async () => {
  const { id: sessionId, slug } = await build.runningSession();
  const [first, second] = [
    await build.event("open", { sessionId }),
    await build.event("open", { sessionId }),
  ];
  expect((await read(slug)).decisions).toEqual([]);
  await timer.settle(first.id);
  await by(await build.admin()).resolve(second.id, "false");
  const [latest, paid] = (await read(slug)).decisions ?? [];
  expect(latest).toMatchObject({ eventId: second.id, corrected: null });
  expect(paid).toMatchObject({ eventId: first.id, corrected: null });
  await by(await build.admin()).resolve(first.id, "false", { reason: "Offside" });
  const after = await read(slug);
  expect(after.decisions?.map(({ eventId }) => eventId)).toEqual([first.id, second.id]);
  expect(after.decisions?.[0]).toMatchObject({ at: paid?.at, corrected: { was: "true" } });
  // The other result has had its time.
  await db.update(events).set({ decidedAt: minuteAgo }).where(eq(events.id, second.id));
  const html = await (await open(`/sessions/${slug}/stage`)).text();
  expect(html.includes("Corrected. It was True.")).toBe(true);
  expect(html.includes("Offside")).toBe(true);
});

const asked = async (who: TestClient, slug: string, shown: boolean) =>
  who.send("PUT", `/api/v1/sessions/${slug}/stage_leaders`, { leaders: { shown } });
const sceneOf = async (slug: string) =>
  /data-scene="(\w+)"/.exec(await (await open(`/sessions/${slug}/stage`)).text())?.[1];

test("the leaders on the big screen are asked for by a host, who can take that back, and the audit says so", async () => {
  const { id: sessionId, slug } = await build.runningSession();
  await build.event("closed", { sessionId });
  const host = await client(await build.admin());
  expect(await sceneOf(slug)).toBe("question");
  expect((await asked(host, slug, true)).status).toBe(200);
  expect(await sceneOf(slug)).toBe("between");
  expect((await asked(host, slug, false)).status).toBe(200);
  expect(await sceneOf(slug)).toBe("question");
  const { audit } = await host.read(`/api/v1/sessions/${slug}/audit`, auditAnswer);
  expect(audit.slice(0, 2).map(({ action }) => action)).toEqual(["leave_leaders", "show_leaders"]);
});

test("the leaders on the big screen are refused to players, and before and after the show, and nothing changes", async () => {
  const host = await client(await build.admin());
  const { slug } = await build.session();
  const refused = { status: 422, body: { errors: { state: ['cannot transition via "Show leaders"'] } } };
  expect(await unchanged(() => asked(host, slug, true))).toMatchObject(refused);
  const running = await build.runningSession();
  const player = await client(await build.player());
  expect((await unchanged(() => asked(player, running.slug, true))).status).toBe(403);
  await timer.stop(running.id);
  expect(await unchanged(() => asked(host, running.slug, true))).toMatchObject(refused);
});

test("who shares a place shares a step of the podium, and more than fit are counted", async () => {
  const { id: sessionId, slug } = await build.runningSession();
  const { id: eventId } = await build.event("open", { sessionId, durationSeconds: 600 });
  const players = await Promise.all(Array.from({ length: 7 }, () => build.player()));
  for (const [index, { id: userId }] of players.entries())
    await build.call({ userId, eventId, side: index < 5 ? "true" : "false" });
  await timer.settle(eventId);
  await timer.stop(sessionId);
  await db.update(events).set({ decidedAt: minuteAgo, resolvedAt: minuteAgo }).where(eq(events.id, eventId));
  const html = await (await open(`/sessions/${slug}/stage`)).text();
  const podium = html.slice(html.indexOf("The first three"), html.indexOf('class="figures"'));
  expect(podium.match(/class="rank-\d/g)).toEqual(['class="rank-1']);
  expect(podium).toContain("and 3 more");
});

const openEvent = buildEvent({ id: 7, state: "open", version: 2 });
const {
  session,
  events: shownEvents,
  leaders,
  me,
  playersCount,
  nextSession,
} = buildActionState([openEvent]);
const written = (id: number, seconds = 0): StageMessage => ({
  id,
  username: "ana",
  body: `Message ${id}`,
  createdAt: inSeconds(seconds),
});
const snapshotWith = (messages: StageMessage[], asOf = inSeconds(0)): StageSnapshot => {
  const unknown = {
    arrivals: null,
    outcome: null,
    evening: null,
    joinCode: "ABC234",
    joinUrl: "https://example.test/join?code=ABC234",
  };
  return { session, events: shownEvents, leaders, me, playersCount, nextSession, messages, asOf, ...unknown };
};
const chatMessage = (
  message: StageMessage,
  eventType: "create" | "update" | "destroy",
  approvedAt: string | null = null,
): StageChange => ({
  kind: "message",
  message: {
    sourceType: "Message",
    eventType,
    detail: {
      message: {
        ...message,
        sessionId: session.id,
        userId: 1,
        avatar: presentAvatar(null),
        clientId: "c",
        deletedAt: eventType === "destroy" ? inSeconds(5) : null,
        approvedAt,
      },
      version: 1,
      serverTime: inSeconds(5),
    },
  } as const satisfies SessionMessage,
});

test("chat messages are added in their order, and one that is deleted makes room for the one before it", () => {
  let state = initialStageState(snapshotWith([written(1), written(2)]));
  state = reduceStageState(state, chatMessage(written(3), "create"));
  state = reduceStageState(state, chatMessage(written(3), "create"));
  expect(state.messages.map(({ id }) => id)).toEqual([1, 2, 3]);
  state = reduceStageState(state, chatMessage(written(3), "destroy"));
  expect(state.messages.map(({ id }) => id)).toEqual([1, 2]);
});

test("a snapshot replaces the chat, but for what was written since it was read", () => {
  let state = initialStageState(snapshotWith([written(1), written(2)]));
  state = reduceStageState(state, chatMessage(written(4, 9), "create"));
  state = reduceStageState(state, { kind: "snapshot", snapshot: snapshotWith([written(2)], inSeconds(8)) });
  expect(state.messages.map(({ id }) => id)).toEqual([2, 4]);
});

test("while nobody knows who has come, those who were there stay on the board", () => {
  const lobby = { ...snapshotWith([]), session: { ...session, state: "pending" as const } };
  const arrivals = { count: 1, players: [{ userId: 1, username: "ana", picture: null }] };
  const known = initialStageState({ ...lobby, arrivals });
  expect(reduceStageState(known, { kind: "snapshot", snapshot: lobby }).arrivals).toEqual(arrivals);
  const more = { ...arrivals, count: 2 };
  const snapshot = { ...lobby, arrivals: more };
  expect(reduceStageState(known, { kind: "snapshot", snapshot }).arrivals).toEqual(more);
});

test("where messages are approved, one is shown once a host has let it, and under the new name of its player", () => {
  const approving = { ...session, settings: { ...session.settings, chatApproval: true } };
  const known = initialStageState({ ...snapshotWith([]), session: approving });
  const shown = (state: ReturnType<typeof initialStageState>, ...changes: StageChange[]) =>
    changes.reduce(reduceStageState, state).messages.map(({ username, body }) => `${username}: ${body}`);
  const waiting = chatMessage(written(3), "create");
  expect(shown(known, waiting)).toEqual([]);
  const let3 = chatMessage(written(3), "update", inSeconds(6));
  expect(shown(known, waiting, let3)).toEqual(["ana: Message 3"]);
  const renamed = chatMessage({ ...written(3), username: "guest_1" }, "update", inSeconds(6));
  expect(shown(known, waiting, let3, renamed)).toEqual(["guest_1: Message 3"]);
  expect(shown(known, let3, chatMessage(written(3), "destroy"))).toEqual([]);
});
