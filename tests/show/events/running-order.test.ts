import { expect, test } from "bun:test";
import { testWorld } from "#tests/support/world.ts";

const { by, timer, build, read, refused, stopClockAt } = await testWorld();
const admin = await build.admin();
const host = by(admin);
const now = new Date();
await stopClockAt(now);

/** A running session of three drafts: the first opens in 60 s, each is open for 30 s, with 10 s between them. */
async function buildShow() {
  const { id: sessionId } = await build.session();
  const terms = { sessionId, leadSeconds: 5, durationSeconds: 30 };
  await build.draft({ ...terms, position: 1, offsetSeconds: 60 });
  for (const position of [2, 3]) await build.draft({ ...terms, position, offsetSeconds: 10 });
  await timer.start(sessionId);
  const [a = 0, b = 0, c = 0] = (await read.events(sessionId)).map(({ id }) => id);
  return { sessionId, ids: [a, b, c] as const };
}

const secondsUntil = (moment: Date | null) => ((moment?.getTime() ?? Number.NaN) - now.getTime()) / 1_000;
const opensIn = async (id: number) => (await read.events(id)).map(({ opensAt }) => secondsUntil(opensAt));
const lastLine = async (subjectId: number, action: string) =>
  (await read.audit({ subjectId, action })).at(-1);

/** The details of a refusal with 422 that changes nothing. */
async function refusedWith(action: () => Promise<unknown>) {
  const refusal = await refused(action);
  expect(refusal.status).toBe(422);
  return refusal.details;
}

test("advance performs an event's transitions one by one, and moves later events forward by the same time", async () => {
  const { sessionId, ids } = await buildShow();
  const published = await host.advance(ids[0]);
  expect(published).toMatchObject({ state: "visible", nextTransition: "open_event" });
  expect(await opensIn(sessionId)).toEqual([5, 45, 85]);
  const opened = await host.advance(ids[0]);
  expect(opened).toMatchObject({ state: "open", nextTransition: "close_event" });
  expect(secondsUntil(opened.closesAt)).toBe(30);
  expect((await opensIn(sessionId)).slice(1)).toEqual([40, 80]);
  expect(await host.advance(ids[0])).toMatchObject({ state: "closed", nextTransition: null });
  expect((await opensIn(sessionId)).slice(1)).toEqual([10, 50]);
  const closed = await host.advance(ids[0]);
  expect(closed).toMatchObject({ id: ids[0], state: "closed", result: null });
  expect(await read.event(ids[1])).toMatchObject({ state: "open" });
  expect((await opensIn(sessionId)).slice(2)).toEqual([40]);
  expect(await lastLine(ids[0], "advance")).toMatchObject({
    actorId: admin.id,
    sessionId,
    before: { state: "closed" },
    after: { state: "closed", moved: 2 },
  });
});

test("a blocked advance is refused after the last event has closed, and nothing changes", async () => {
  const { ids } = await buildShow();
  for (const verb of ["publish", "open", "close"] as const) await host[verb](ids[2]);
  expect(await refusedWith(() => host.advance(ids[2]))).toMatchObject({
    errors: { state: ['cannot transition via "Advance"'] },
    detail: "Nothing comes after it.",
  });
});

test.each(["open", "closed"])(
  "skip refunds and hides an %s event, and notifies the players of the reason",
  async (state) => {
    const { sessionId, ids } = await buildShow();
    const player = await build.player();
    const [eventId] = ids;
    await host.advance(eventId);
    await host.advance(eventId);
    await build.call({ userId: player.id, eventId, wagerCents: 700 });
    if (state === "closed") await host.close(eventId);
    const before = await opensIn(sessionId);
    await host.skip(eventId, "The tape tore");
    expect(await read.event(eventId)).toMatchObject({ state: "hidden", result: null, dueAt: null });
    expect(await read.wallet(player.id)).toMatchObject({ postedCents: 10_000, heldCents: 0 });
    const news = read.told(player.id);
    expect(await news).toMatchObject([{ kind: "refund", title: "$7.00 back: the host skipped it" }]);
    expect((await opensIn(sessionId)).slice(1)).toEqual(state === "open" ? [10, 50] : before.slice(1));
  },
);

test("delay shifts the next due time and all later events, both ways", async () => {
  const { sessionId, ids } = await buildShow();
  const delay = (index: 0 | 1, seconds: number) => host.delay(ids[index], seconds);
  const later = await delay(1, 30);
  expect(await opensIn(sessionId)).toEqual([60, 130, 170]);
  expect(secondsUntil(later.dueAt)).toBe(125);
  await delay(0, -50);
  expect(await opensIn(sessionId)).toEqual([10, 80, 120]);
  await host.advance(ids[0]);
  const opened = await host.advance(ids[0]);
  const longer = await delay(0, 600);
  expect((longer.closesAt?.getTime() ?? 0) - (opened.closesAt?.getTime() ?? 0)).toBe(600_000);
  expect(longer).toMatchObject({ dueAt: longer.closesAt, opensAt: opened.opensAt });
  expect(await lastLine(ids[0], "delay")).toMatchObject({
    after: { state: "open", shiftMs: 600_000, moved: 2 },
  });
});

test("delay into the past is refused, and nothing changes", async () => {
  const { ids } = await buildShow();
  const refused = await refusedWith(() => host.delay(ids[0], -60));
  const errors = { seconds: ["must be greater than or equal to -55"] };
  expect(refused).toMatchObject({ errors, detail: "It would lie in the past." });
});

test("delay of an event without a plan is refused, and nothing changes", async () => {
  const { ids } = await buildShow();
  for (const verb of ["publish", "open", "close"] as const) await host[verb](ids[0]);
  const refused = await refusedWith(() => host.delay(ids[0], 30));
  const errors = { state: ['cannot transition via "Delay"'] };
  expect(refused).toMatchObject({ errors, detail: "Nothing is planned for it." });
});
