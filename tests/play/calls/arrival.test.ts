import { beforeEach, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import { users } from "#db/schema/users.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import { callAnswer } from "#src/play/calls/schemas.ts";
import { createServer } from "#src/server.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { listDifferences } from "#tests/support/books.ts";
import { holdTransaction } from "#tests/support/in-long-transaction.ts";
import { untilBlocked } from "#tests/support/until-blocked.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

// A call is judged by when it arrived at its process, by the database's clock, however long it waited there.

const { deps, db, build, by, read, refused, server, timer, runClock, set, signIn, stopClockAt } =
  await testWorld({}, { poolSize: 8 });
const host = by(await build.admin());
/** Two processes: what waits belongs to a pool. */
const [one, two] = [deps, { ...deps, pool: { ...deps.pool } }];
const processes = [
  { of: one, server, side: "true" },
  { of: two, server: createServer(two), side: "false" },
] as const;

let event: EventRow;
beforeEach(async () => {
  event = await openEvent();
});
afterTest(async () => {
  await runClock();
  expect(await listDifferences(db)).toEqual([]);
});

/** An event that opened a minute ago. */
async function openEvent(terms: Parameters<typeof build.event>[1] = {}): Promise<EventRow> {
  const { id } = await build.event("open", terms);
  const openedAt = sql`game_now() - interval '1 minute'`;
  await set(events, id, { opensAt: openedAt, openedAt });
  return read.event(id);
}

/** Lets an open event close this long ago. */
const endAgo = (agoMs: number) =>
  set(events, event.id, {
    closesAt: sql`game_now() - ${agoMs}::int * interval '1 millisecond'`,
  });

type Terms = { balanceCents?: number; onTheHouse?: boolean; from?: typeof deps };

/** How a new player places a call on the event that has waited for this long; always the same call. */
async function callerAfter(waitedMs: number, { balanceCents, onTheHouse = false, from = deps }: Terms = {}) {
  const viewer = await build.player(balanceCents === undefined ? {} : { balanceCents });
  const spotId = (await read.spots(event.id)).true.id;
  const call = { viewer, spotId, wagerCents: 100, idempotencyKey: crypto.randomUUID(), onTheHouse };
  return () => placeCall(from, { ...call, arrivedAtMs: performance.now() - waitedMs });
}

const stateOf = async (callId: number) => {
  const [call] = await db.select().from(calls).where(eq(calls.id, callId));
  const { closesAt, closedAt } = await read.event(event.id);
  const isInTime = [closesAt, closedAt].every((end) => end === null || (call && call.placedAt < end));
  return { state: call?.state, isInTime };
};

/** A request for a call, and whether its body was taken. */
async function requestOf(user: { id: number }, body: BodyInit) {
  const url = "http://localhost:3000";
  const headers = {
    ...(await signIn(user)),
    accept: "application/json",
    "content-type": "application/json",
    origin: url,
    "idempotency-key": `key of ${user.id}`,
  };
  return new Request(`${url}/api/v1/calls`, { method: "POST", headers, body });
}

test.each([
  ["a host closes", () => host.close(event.id)],
  ["the timer closes", () => timer.close(event.id)],
])("calls that wait in two processes while %s their event are placed, and paid", async (_, close) => {
  const elsewhere = (await read.spots((await build.event("open")).id)).true.id;
  const spots = await read.spots(event.id);
  const callers = await Promise.all(
    processes.map(async ({ side, ...process }) => {
      const player = await build.player();
      const body = JSON.stringify({ call: { spot_id: spots[side].id, wager: 1 } });
      return { ...process, player, request: await requestOf(player, body) };
    }),
  );
  // The event closes at the moment that this clock shows, so what has waited at all arrived before that.
  await stopClockAt(new Date());
  const locking = await holdTransaction(db, (tx) => tx.execute(sql`LOCK TABLE calls IN EXCLUSIVE MODE`));
  const ahead = callers.map(({ of, player: viewer }) =>
    placeCall(of, { viewer, spotId: elsewhere, wagerCents: 100, idempotencyKey: "ahead" }),
  );
  await untilBlocked(db, 2);
  const answers = callers.map((caller) => caller.server.handle(caller.request));
  await waitFor("both to arrive", () => callers.every(({ request }) => request.bodyUsed));
  expect(await close()).toMatchObject({ state: "closed" });
  await locking.commit();
  await Promise.all(ahead);

  for (const answer of await Promise.all(answers)) {
    expect(answer.status).toBe(201);
    const { call } = v.parse(callAnswer, await answer.json());
    expect(call).toMatchObject({ state: "closed", active: true, cancellable: false });
    expect(await stateOf(call.id)).toEqual({ state: "closed", isInTime: true });
    const told = await db
      .select()
      .from(outbox)
      .where(sql`payload -> 'callIds' @> ${call.id}::text::jsonb`);
    expect(told).toMatchObject([{ kind: "calls_placed" }]);
  }
  expect(await read.spots(event.id)).toMatchObject({ true: { poolCents: 100 }, false: { poolCents: 100 } });
  await timer.settle(event.id, "true");
  expect(await Promise.all(callers.map(({ player }) => read.balance(player.id)))).toEqual([10_100, 9_900]);
});

test.each([0, 3_600_000, -3_600_000])(
  "a process whose clock is %d ms from the database's places what arrived in time, and refuses what was late",
  async (aheadMs) => {
    await runClock({ aheadMs });
    event = await openEvent();
    const [inTime, afterTheTimer, late] = [
      await callerAfter(7_000),
      await callerAfter(9_000),
      await callerAfter(1_000),
    ];
    await endAgo(3_000);
    expect(await stateOf((await inTime()).callId)).toEqual({ state: "placed", isInTime: true });
    await timer.close(event.id);
    expect(await stateOf((await afterTheTimer()).callId)).toEqual({ state: "closed", isInTime: true });
    expect(await afterTheTimer()).toMatchObject({ replayed: true, answer: { call: { state: "closed" } } });
    expect(await refused(late)).toMatchObject({ status: 422, code: "late" });
  },
);

test("a late call reads how late it arrived, and not how long it waited then", async () => {
  const closesAtMs = event.closesAt?.getTime() ?? 0;
  await stopClockAt(new Date(closesAtMs + 50_000));
  for (const waitedMs of [0, 9_000]) {
    const call = await callerAfter(waitedMs);
    const startedAtMs = performance.now();
    const { detail } = (await refused(call)).details;
    const lateS = Number(/^Call was (\d\d\.\d\d) s late$/.exec(String(detail))?.[1]);
    const tookMs = performance.now() - startedAtMs;
    expect(lateS).toBeLessThanOrEqual(50 - waitedMs / 1_000);
    // The call waited for as long as this took, too, and the words count hundredths of a second.
    expect(lateS).toBeGreaterThanOrEqual(Math.max(40, 50 - (waitedMs + tookMs) / 1_000 - 0.01));
  }
});

test("a request whose body is sent after the close has arrived after it", async () => {
  const player = await build.player();
  const { id: spotId } = (await read.spots(event.id)).true;
  const text = JSON.stringify({ call: { spot_id: spotId, wager: 1 } });
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const body = writable.getWriter();
  const request = await requestOf(player, readable);
  const answer = server.handle(request);
  const bytes = new TextEncoder().encode(text);
  await body.write(bytes.subarray(0, -1));
  await host.close(event.id);
  await body.write(bytes.subarray(-1));
  await body.close();
  expect(await (await answer).json()).toMatchObject({ code: "invalid_spot_state" });
  expect(await db.$count(calls, eq(calls.userId, player.id))).toBe(0);
});

test("a guest's call on the house that waited past the close is placed", async () => {
  await endAgo(1_000);
  await timer.close(event.id);
  const place = await callerAfter(2_000, { balanceCents: 0, onTheHouse: true, from: two });
  await set(users, sql`id = (SELECT max(id) FROM users)`, { guest: true });
  expect(await stateOf((await place()).callId)).toEqual({ state: "closed", isInTime: true });
});

type Decided = { of: string; settings?: Settings; decide: () => Promise<unknown>; code?: string };
type Settings = NonNullable<Parameters<typeof build.runningSession>[0]>["settings"];

test.each<Decided>([
  { of: "with a result", decide: () => host.resolve(event.id) },
  {
    of: "whose result waits to be paid",
    settings: { settlementDelaySeconds: 60 },
    decide: () => host.resolve(event.id),
  },
  {
    of: "that is void because nobody had called it",
    settings: { voidUncalled: true },
    decide: () => timer.close(event.id),
  },
  { of: "that was skipped", decide: () => host.skip(event.id), code: "invalid" },
  {
    of: "of another round",
    decide: async () => {
      await host.reset(event.id);
      await host.publish(event.id);
      await host.open(event.id);
      await host.close(event.id);
    },
  },
  {
    of: "of a paused session",
    decide: async () => {
      await host.close(event.id);
      await host.pause(event.sessionId ?? 0);
    },
  },
  {
    of: "of a session that was stopped",
    decide: () => host.stop(event.sessionId ?? 0),
  },
  {
    of: "that closed longer ago than a call can wait",
    decide: async () => {
      await endAgo(11_000);
      await timer.close(event.id);
    },
    code: "late",
  },
])(
  "a call that waited is refused on an event $of, and nothing changes",
  async ({ settings = {}, decide, code = "invalid_spot_state" }) => {
    const { id: sessionId } = await build.runningSession({ settings });
    event = await openEvent({ sessionId });
    const place = await callerAfter(30_000);
    await decide();
    expect(await refused(place)).toMatchObject({ status: 422, code });
  },
);
