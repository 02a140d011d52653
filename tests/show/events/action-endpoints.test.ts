import { expect, test } from "bun:test";
import { desc, eq } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { previewAnswer } from "#src/show/events/schemas.ts";
import { testWorld } from "#tests/support/world.ts";

const { db, timer, build, read, client, runClock, stopClockAt } = await testWorld();
const asAdmin = await client(await build.admin());

const pathOf = (eventId: number, query = "?result=true") => `/api/v1/events/${eventId}/preview${query}`;
async function preview(eventId: number, query?: string) {
  return (await asAdmin.read(pathOf(eventId, query), previewAnswer)).preview;
}

/** Ana has 5.00 on True and 1.00 on False, Ben 3.00 on True, and Cleo, who calls last, 2.00 on False. */
async function buildContest(beforeLast = () => Promise.resolve()) {
  const event = await build.event("open");
  const [ana, ben, cleo] = [await build.player(), await build.player(), await build.player()];
  const call = (userId: number, side: "true" | "false", wagerCents: number) =>
    build.call({ userId, eventId: event.id, side, wagerCents });
  await call(ana.id, "true", 500);
  await call(ana.id, "false", 100);
  await call(ben.id, "true", 300);
  await beforeLast();
  await call(cleo.id, "false", 200);
  return { eventId: event.id };
}

const nothing = { callsRefunded: 0, refunded: 0, refundedCents: 0 };

test("a preview shows the payouts of each result, before and after the close", async () => {
  const { eventId } = await buildContest();
  const whatItPays = async () => ({
    true: await preview(eventId),
    false: await preview(eventId, "?result=false"),
  });
  const open = await whatItPays();
  // Of $11.00 ana's $5.00 on True get $6.88, of which $1.00 went on False; ben's $3.00 get $4.12.
  expect(open.true).toMatchObject({ ...nothing, callsWon: 2, callsLost: 2, winners: 2, losers: 1 });
  expect(open.true).toMatchObject({ paidOut: 11, paidOutCents: 1_100, largestWinCents: 112 });
  // Of $11.00 cleo's $2.00 on False get $7.33.
  expect(open.false).toMatchObject({ callsWon: 2, winners: 1, losers: 2, largestWin: 5.33 });
  expect(await preview(eventId, "?result=void")).toMatchObject({
    callsWon: 0,
    callsRefunded: 4,
    winners: 0,
    losers: 0,
    paidOut: 0,
    refunded: 11,
    largestWin: 0,
  });
  await timer.close(eventId);
  expect(await whatItPays()).toEqual(open);
  await timer.settle(eventId, "false");
  const corrected = { ...open.true, takenBack: 7.33, takenBackCents: 733 };
  expect(await whatItPays()).toEqual({ true: corrected, false: open.false });
});

test("a preview of a correction says what is taken back, and what players owe because they have spent it", async () => {
  const { eventId } = await buildContest();
  await timer.settle(eventId, "false");
  const [last] = await db.select().from(calls).where(eq(calls.eventId, eventId)).orderBy(desc(calls.id));
  const cleo = last?.userId ?? 0;
  const { availableCents } = await read.wallet(cleo);
  const next = await build.event("open");
  await build.call({ userId: cleo, eventId: next.id, wagerCents: availableCents - 33 });
  const told = await preview(eventId, "?result=true");
  expect(told).toMatchObject({ takenBackCents: 733, owed: 7, owedCents: 700 });
  await timer.settle(eventId, "true", { reason: "Seen again" });
  expect(await read.wallet(cleo)).toMatchObject({ owedCents: told.owedCents });
});

test("a preview refunds the calls from the effective time on", async () => {
  // The API takes milliseconds, in which calls on a running clock could coincide.
  await stopClockAt(new Date("2026-11-21T20:00:00.000Z"));
  const { eventId } = await buildContest(() => stopClockAt(new Date("2026-11-21T20:00:01.000Z")));
  await runClock();
  expect(await preview(eventId, "?result=true&effective_at=2026-11-21T20:00:01.000Z")).toMatchObject({
    refundedCents: 200,
    paidOutCents: 900,
  });
  expect(await preview(eventId, "?result=true&effective_at=2026-11-21T20:00:01.001Z")).toMatchObject(nothing);
});

test("a preview needs an event that can be resolved, and a result", async () => {
  const { eventId } = await buildContest();
  expect(await asAdmin.get(pathOf(eventId, ""))).toMatchObject({
    status: 422,
    body: { errors: { result: ["is required"] } },
  });
  expect((await asAdmin.get(pathOf(eventId, "?result=maybe"))).status).toBe(422);
  expect((await asAdmin.get(pathOf(eventId, "?result=true&effective_at=soon"))).status).toBe(422);
  const { id } = await build.event("visible");
  expect(await asAdmin.get(pathOf(id))).toMatchObject({
    status: 422,
    body: { errors: { stateEvent: ["cannot transition when Visible"] } },
  });
});
