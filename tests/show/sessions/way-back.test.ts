import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { reminders } from "#db/schema/reminders.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { STOP_UNDO_MS } from "#src/show/sessions/pages/contract.ts";
import { performTransition } from "#src/show/timers/perform-transition.ts";
import { testWorld } from "#tests/support/world.ts";
import { listChanges } from "./fixtures.ts";

const { deps, db, by, timer, build, read, client, refused, runClock } = await testWorld();
const host = await build.admin();
const player = await build.player();

beforeEach(async () => {
  await runClock();
  await db.update(sessions).set({ active: false });
});

/** What was planned of an event: not how often it has changed, nor when. */
const planOf = (rows: Awaited<ReturnType<typeof read.events>>) =>
  rows.map((row) => {
    const { version: _v, scheduleVersion: _s, round: _r, fence: _f, updatedAt: _u, ...plan } = row;
    return plan;
  });
const place = async (eventId: number, idempotencyKey = crypto.randomUUID()) => {
  const { id: spotId } = (await read.spots(eventId)).true;
  const [placed] = await placeCalls(deps.pool, [
    { userId: player.id, spotId, wagerCents: 100, idempotencyKey },
  ]);
  return placed?.code;
};
const lastAct = async (subjectId: number) => (await read.audit({ subjectType: "session", subjectId })).at(-1);
const msBetween = (one: Date | null, other: Date | null) => (one?.getTime() ?? 0) - (other?.getTime() ?? 0);
const isNear = (ms: number, expected: number) => expect(Math.abs(ms - expected)).toBeLessThanOrEqual(2);

/** A pending session with four events; the last one opens after the result before it. */
async function buildPlan() {
  const session = await build.session();
  const sessionId = session.id;
  for (const position of [1, 2, 3]) await build.draft({ sessionId, position, durationSeconds: 30 });
  await build.draft({ sessionId, position: 4, startMode: "after_result", offsetSeconds: 8 });
  return { sessionId, ids: (await read.events(sessionId)).map(({ id }) => id), code: session.joinCode };
}

test("a start that is taken back leaves everything as it was before, whatever its events have been through; its alarms do nothing, and it can start again", async () => {
  const { sessionId, ids, code } = await buildPlan();
  await build.session(); // another one, which is not touched
  const known = [
    db.insert(registrations).values({ sessionId, userId: player.id, displayName: "Ana", team: 2 }),
    db.insert(reminders).values({ sessionId, userId: player.id }),
    db.insert(sessionHosts).values({ sessionId, userId: player.id, madeById: host.id }),
  ];
  for (const row of known) await row;
  const around = async () => [
    await db.select().from(registrations).where(eq(registrations.sessionId, sessionId)),
    await db.select().from(reminders).where(eq(reminders.sessionId, sessionId)),
    await db.select().from(sessionHosts).where(eq(sessionHosts.sessionId, sessionId)),
  ];
  const before = { plan: planOf(await read.events(sessionId)), around: await around() };
  const [first = 0, second = 0, third = 0] = ids;
  await by(host).start(sessionId);
  for (const id of [first, second, third]) await by(host).publish(id);
  for (const id of [first, second]) await by(host).open(id);
  await by(host).close(first);
  await by(host).settle(first, "true");
  const open = await read.event(second);
  const back = await by(host).takeBackStart(sessionId);

  expect(back).toMatchObject({ state: "pending", startedAt: null, active: true, joinCode: code });
  expect(planOf(await read.events(sessionId))).toEqual(before.plan);
  expect(await around()).toEqual(before.around);
  expect(await listChanges(deps, sessionId)).toContain("take_back_start");
  expect(await lastAct(sessionId)).toMatchObject({ action: "take_back_start", actorId: host.id });

  const waiting = await read.event(second);
  await runClock({ aheadMs: 3_600_000 });
  await performTransition(deps, {
    eventId: second,
    transition: "close_event",
    version: open.scheduleVersion,
  });
  expect(await read.event(second)).toEqual(waiting);
  await by(host).start(sessionId);
  await by(host).publish(second);
  await by(host).open(second);
  expect(await place(second)).toBe("placed");
});

test("a start that is taken back keeps visible what was published before the start", async () => {
  const { sessionId, ids } = await buildPlan();
  const [first = 0] = ids;
  const shown = await by(host).publish(first);
  await by(host).start(sessionId);
  await by(host).takeBackStart(sessionId);
  expect(await read.event(first)).toMatchObject({
    state: "visible",
    publishedAt: shown.publishedAt,
    dueAt: null,
  });
});

test.each(["placed", "taken back"])(
  "a start cannot be taken back once a call was %s, and nothing changes",
  async (how) => {
    const { sessionId, ids } = await buildPlan();
    const [first = 0] = ids;
    await by(host).start(sessionId);
    await by(host).publish(first);
    await by(host).open(first);
    const callId = await build.call({ userId: player.id, eventId: first });
    if (how === "taken back") await deps.pool.sql`SELECT cancel_call(${player.id}, ${callId})`;
    const { details } = await refused(() => by(host).takeBackStart(sessionId));
    expect(details).toMatchObject({
      errors: { state: ['cannot transition via "Back to the lobby"'] },
      detail: "Somebody has called already. Stop the show instead.",
    });
  },
);

test("a start that is taken back and a call of the same moment: one of them happens", async () => {
  const { sessionId, ids } = await buildPlan();
  const [first = 0] = ids;
  await by(host).start(sessionId);
  await by(host).publish(first);
  await by(host).open(first);
  const [back, code] = await Promise.all([
    by(host)
      .takeBackStart(sessionId)
      .then(() => true)
      .catch(() => false),
    place(first),
  ]);
  expect(code === "placed").toBe(!back);
  expect((await read.session(sessionId)).state).toBe(back ? "pending" : "running");
});

test.each(["pending", "stopped"] as const)(
  "a start cannot be taken back when %s, and nothing changes",
  async (state) => {
    const { sessionId } = await buildPlan();
    if (state === "stopped") {
      await timer.start(sessionId);
      await timer.stop(sessionId);
    }
    expect((await refused(() => by(host).takeBackStart(sessionId))).status).toBe(422);
  },
);

/** A running show: the first event is closed and undecided, the second open with a call, the others to come. */
async function buildShow() {
  const plan = await buildPlan();
  const [first = 0, second = 0, third = 0, fourth = 0] = plan.ids;
  await by(host).start(plan.sessionId);
  for (const id of [first, second, third]) await by(host).publish(id);
  for (const id of [first, second]) await by(host).open(id);
  await build.call({ userId: player.id, eventId: second, wagerCents: 300 });
  await by(host).close(first);
  return { ...plan, first, second, third, fourth };
}

test("a stop that is undone runs as before, with the plan moved by the time between; what was open is closed with its calls, and no money has moved", async () => {
  const { sessionId, first, second, third, fourth } = await buildShow();
  const before = { session: await read.session(sessionId), events: await read.events(sessionId) };
  const wallet = await read.wallet(player.id);
  const { stoppedAt } = await by(host).stop(sessionId);
  await runClock({ aheadMs: 40_000 });
  const running = await by(host).takeBackStop(sessionId);

  const { startedAt, joinCode } = before.session;
  expect(running).toMatchObject({ state: "running", active: true, stoppedAt: null, startedAt, joinCode });
  expect(await read.event(first)).toMatchObject({ state: "closed", nextTransition: null, dueAt: null });
  expect(await read.event(second)).toMatchObject({ state: "closed", nextTransition: null, dueAt: null });
  const [, , thirdBefore, fourthBefore] = before.events;
  const shown = await read.event(third);
  expect(shown).toMatchObject({ state: "visible", nextTransition: "open_event", round: 1 });
  isNear(msBetween(shown.opensAt, thirdBefore?.opensAt ?? null), msBetween(running.updatedAt, stoppedAt));
  expect(shown.dueAt).toEqual(shown.opensAt);
  expect(await read.event(fourth)).toMatchObject({
    state: "draft",
    nextTransition: fourthBefore?.nextTransition ?? null,
    opensAt: null,
  });
  const { postedCents, heldCents } = await read.wallet(player.id);
  expect({ postedCents, heldCents }).toEqual({
    postedCents: wallet.postedCents,
    heldCents: wallet.heldCents,
  });
  expect(await listChanges(deps, sessionId)).toContain("take_back_stop");
  expect(await read.audit({ sessionId })).toContainEqual(
    expect.objectContaining({ action: "take_back_stop", actorId: host.id, subjectType: "session" }),
  );
  await by(host).settle(second, "true");
  await by(host).open(third);
  expect(await place(third)).toBe("placed");
});

test("after a stop that is undone players read drafts no sooner, and what a host had hidden stays hidden", async () => {
  const { sessionId, third, fourth } = await buildShow();
  await by(host).hide(third);
  await by(host).stop(sessionId);
  await by(host).takeBackStop(sessionId);
  expect((await read.event(third)).state).toBe("hidden");
  const asPlayer = await client(player);
  expect((await asPlayer.get(`/api/v1/events/${fourth}`)).status).toBe(404);
});

test("a stop that is undone is paused again where it was paused, and a resume goes on with what was left", async () => {
  const { sessionId, third } = await buildShow();
  const planned = await read.event(third);
  const { pausedAt } = await by(host).pause(sessionId);
  await runClock({ aheadMs: 10_000 });
  await by(host).stop(sessionId);
  await runClock({ aheadMs: 50_000 });
  expect(await by(host).takeBackStop(sessionId)).toMatchObject({ state: "paused", stoppedAt: null });
  expect(await read.event(third)).toMatchObject({ state: "visible", dueAt: null });
  await runClock({ aheadMs: 80_000 });
  const { updatedAt } = await by(host).resume(sessionId);
  isNear(msBetween((await read.event(third)).opensAt, planned.opensAt), msBetween(updatedAt, pausedAt));
});

test("a stop that is undone gives an event its time that waits for a result which came meanwhile", async () => {
  const { sessionId, third, fourth } = await buildShow();
  await by(host).open(third);
  await by(host).stop(sessionId);
  await by(host).settle(third, "false");
  const { updatedAt } = await by(host).takeBackStop(sessionId);
  const planned = await read.event(fourth);
  isNear(msBetween(planned.opensAt, updatedAt), 8_000);
  expect(planned.dueAt).not.toBeNull();
});

test("a stop that is undone does not take the players from a show that is the active one by now", async () => {
  const { sessionId } = await buildShow();
  await by(host).stop(sessionId);
  const other = await build.runningSession();
  expect(await by(host).takeBackStop(sessionId)).toMatchObject({ state: "running", active: false });
  expect(await read.session(other.id)).toMatchObject({ active: true });
});

test("a stop that is undone is told to those who were told that it is over", async () => {
  const { sessionId, second } = await buildShow();
  await by(host).close(second);
  await by(host).settle(second, "true");
  await by(host).stop(sessionId);
  const { name } = await by(host).takeBackStop(sessionId);
  const titles = (await read.told(player.id)).map(({ title }) => title);
  expect(titles.slice(-2)).toEqual([`${name} is over`, `${name} goes on`]);
});

test("a stop can be undone for a minute; later it is refused, and nothing changes", async () => {
  const { sessionId } = await buildShow();
  await by(host).stop(sessionId);
  await runClock({ aheadMs: STOP_UNDO_MS - 5_000 });
  await by(host).takeBackStop(sessionId);
  await by(host).stop(sessionId);
  await runClock({ aheadMs: 2 * STOP_UNDO_MS });
  const { details } = await refused(() => by(host).takeBackStop(sessionId));
  expect(details).toMatchObject({
    errors: { state: ['cannot transition via "Undo stop"'] },
    detail: "A stop can be undone for a minute. This show is over.",
  });
});

test.each(["pending", "running", "paused"] as const)(
  "no stop can be undone when %s, and nothing changes",
  async (state) => {
    const { sessionId } = await buildPlan();
    if (state !== "pending") await timer.start(sessionId);
    if (state === "paused") await timer.pause(sessionId);
    expect((await refused(() => by(host).takeBackStop(sessionId))).status).toBe(422);
  },
);

test("a stop by an older release cannot be undone, and nothing changes", async () => {
  const { sessionId } = await buildShow();
  await by(host).stop(sessionId);
  await db.update(sessions).set({ beforeStop: null }).where(eq(sessions.id, sessionId));
  expect((await refused(() => by(host).takeBackStop(sessionId))).details).toMatchObject({
    detail: "It was stopped by an older release. This show is over.",
  });
});
