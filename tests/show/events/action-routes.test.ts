import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { calls } from "#db/schema/calls.ts";
import { createServer } from "#src/server.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { eventAnswer, previewAnswer } from "#src/show/events/schemas.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import {
  buildAdmin,
  buildCall,
  buildDraft,
  buildEvent,
  buildPlayer,
  buildSession,
  readEvent,
} from "#tests/support/build.ts";
import { signedInClient, signedOutClient } from "#tests/support/client.ts";
import { runClock, stopClockAt } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

const deps = await testDeps();
const server = createServer(deps);
const signedOut = await signedOutClient(server);
const asPlayer = await signedInClient(deps, server, await buildPlayer(deps));
const asAdmin = await signedInClient(deps, server, await buildAdmin(deps));

/** A draft that opens in 60 s, in a running session. */
async function buildPlanned() {
  const { id: sessionId } = await buildSession(deps);
  const { id } = await buildDraft(deps, { sessionId, offsetSeconds: 60 });
  await startSession(deps, { sessionId, actor: null });
  return readEvent(deps, id);
}

test.each(["advance", "skip", "delay"])(
  "PUT .../%s is for admins, and answers 404 for an unknown event",
  async (action) => {
    const event = await buildPlanned();
    const path = `/api/v1/events/${event.id}/${action}`;
    expect((await signedOut.send("PUT", path)).status).toBe(401);
    expect((await asPlayer.send("PUT", path)).status).toBe(403);
    expect((await asAdmin.send("PUT", `/api/v1/events/999999999/${action}`)).status).toBe(404);
    expect((await asAdmin.send("PUT", `/api/v1/events/abc/${action}`)).status).toBe(404);
    expect(await readEvent(deps, event.id)).toEqual(event);
  },
);

test("advance, delay and skip need no body, and answer the event", async () => {
  const { id, opensAt } = await buildPlanned();
  const put = async (action: string, body?: unknown) => {
    const answer = await asAdmin.send("PUT", `/api/v1/events/${id}/${action}`, body);
    expect(answer.status).toBe(200);
    return v.parse(eventAnswer, answer.body).event;
  };
  const delayed = await put("delay");
  expect(Date.parse(delayed.opensAt ?? "") - (opensAt?.getTime() ?? 0)).toBe(30_000);
  const forward = await put("delay", { event: { seconds: -20 } });
  expect(Date.parse(forward.opensAt ?? "") - (opensAt?.getTime() ?? 0)).toBe(10_000);
  expect((await put("advance")).state).toBe("visible");
  expect((await put("advance", { event: {} })).state).toBe("open");
  expect((await put("skip", { event: { reason: "No picture" } })).state).toBe("hidden");
});

test.each([
  [{ event: { seconds: 601 } }, 422, { seconds: ["must be less than or equal to 600"] }],
  [{ event: { seconds: -601 } }, 422, { seconds: ["must be greater than or equal to -600"] }],
  [{ event: { seconds: 1.5 } }, 422, { seconds: ["must be an integer"] }],
  [{ event: { seconds: "30" } }, 422, { seconds: ["is not a number"] }],
  [{ event: { seconds: 30, state: "open" } }, 422, { state: ["is invalid"] }],
  [{ seconds: 30 }, 400, undefined],
])("a delay of %j is refused, and nothing changes", async (body, status, errors) => {
  const event = await buildPlanned();
  const answer = await asAdmin.send("PUT", `/api/v1/events/${event.id}/delay`, body);
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject(errors === undefined ? {} : { errors });
  expect(await readEvent(deps, event.id)).toEqual(event);
});

test("an action that is not allowed in the state is refused with its label", async () => {
  const event = await buildPlanned();
  expect(await asAdmin.send("PUT", `/api/v1/events/${event.id}/skip`)).toMatchObject({
    status: 422,
    body: {
      error: 'Validation failed: State cannot transition via "Skip"',
      errors: { state: ['cannot transition via "Skip"'] },
    },
  });
  expect(await readEvent(deps, event.id)).toEqual(event);
});

const pathOf = (eventId: number, query = "?result=true") => `/api/v1/events/${eventId}/preview${query}`;
async function preview(eventId: number, query?: string) {
  const { body } = await asAdmin.get(pathOf(eventId, query));
  return v.parse(previewAnswer, body).preview;
}

/** Ana has 5.00 on True and 1.00 on False, Ben 3.00 on True, and Cleo, who calls last, 2.00 on False. */
async function buildContest(beforeLast = () => Promise.resolve()) {
  const event = await buildEvent(deps, "open");
  const [ana, ben, cleo] = [await buildPlayer(deps), await buildPlayer(deps), await buildPlayer(deps)];
  const call = (userId: number, side: "true" | "false", wagerCents: number) =>
    buildCall(deps, { userId, eventId: event.id, side, wagerCents });
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
  await closeEvent(deps, { eventId, actor: null });
  expect(await whatItPays()).toEqual(open);
  await resolveAndPay(deps, { eventId, actor: null, result: "false" });
  expect(await whatItPays()).toEqual(open);
});

test("a preview equals the later payouts to the cent", async () => {
  const { eventId } = await buildContest();
  const { paidOutCents, callsWon } = await preview(eventId);
  await resolveAndPay(deps, { eventId, actor: null, result: "true" });
  const rows = await deps.pool.db.select().from(calls).where(eq(calls.eventId, eventId));
  const won = rows.filter(({ outcome }) => outcome === "won");
  expect(won).toHaveLength(callsWon);
  expect(won.reduce((sum, { payoutCents }) => sum + (payoutCents ?? 0), 0)).toBe(paidOutCents);
});

test("a preview refunds the calls from the effective time on", async () => {
  // The API takes milliseconds, in which calls on a running clock could coincide.
  await stopClockAt(deps.pool, new Date("2026-11-21T20:00:00.000Z"));
  const { eventId } = await buildContest(() => stopClockAt(deps.pool, new Date("2026-11-21T20:00:01.000Z")));
  await runClock(deps.pool);
  expect(await preview(eventId, "?result=true&effective_at=2026-11-21T20:00:01.000Z")).toMatchObject({
    refundedCents: 200,
    paidOutCents: 900,
  });
  expect(await preview(eventId, "?result=true&effective_at=2026-11-21T20:00:01.001Z")).toMatchObject(nothing);
});

test("a preview of an event without calls is empty", async () => {
  const { id } = await buildEvent(deps, "closed");
  expect(await preview(id)).toMatchObject({ ...nothing, callsWon: 0, winners: 0, paidOut: 0, largestWin: 0 });
});

test("a preview needs an admin, an event that can be resolved, and a result", async () => {
  const { eventId } = await buildContest();
  expect((await signedOut.get(pathOf(eventId))).status).toBe(401);
  expect((await asPlayer.get(pathOf(eventId))).status).toBe(403);
  expect((await asAdmin.get(pathOf(999_999))).status).toBe(404);
  expect(await asAdmin.get(pathOf(eventId, ""))).toMatchObject({
    status: 422,
    body: { errors: { result: ["is required"] } },
  });
  expect((await asAdmin.get(pathOf(eventId, "?result=maybe"))).status).toBe(422);
  expect((await asAdmin.get(pathOf(eventId, "?result=true&effective_at=soon"))).status).toBe(422);
  const { id } = await buildEvent(deps, "visible");
  expect(await asAdmin.get(pathOf(id))).toMatchObject({
    status: 422,
    body: { errors: { stateEvent: ["cannot transition when Visible"] } },
  });
});
