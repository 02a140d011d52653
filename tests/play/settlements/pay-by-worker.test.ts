import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { listUnpaidSettlements } from "#db/ledger/list-settlements.ts";
import { startWorker } from "#jobs/workers.ts";
import { connectRedis } from "#src/base/redis.ts";
import { sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import { SMALL_SETTLEMENT_MAX } from "#src/play/settlements/contract.ts";
import { sweepSettlements } from "#src/play/settlements/pay-settlement.ts";
import { createServer } from "#src/server.ts";
import { eventAnswer } from "#src/show/events/schemas.ts";
import { startSweep } from "#src/show/timers/sweep.ts";
import { Relays } from "#tests/live/relay/relays.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { signedInClient } from "#tests/support/client.ts";
import { inLongTransaction } from "#tests/support/in-long-transaction.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildLargeEvent, expectBooksToAgree, type LargeEvent, readWalletsOf } from "./large-settlement.ts";

const LEADERS = "session: Score/leaders";
// The four calls of these events are one part, unless a test says otherwise.
const { deps, db, timer, build, payInParts } = await testWorld({}, { poolSize: 4 });
const relays = await Relays.open(deps);
const process = relays.start();
const admin = await signedInClient(deps, createServer(process), await build.admin());

const running: (() => Promise<void>)[] = [];
afterTest(async () => {
  for (const stop of running.splice(0)) await stop();
});
afterFile(async () => {
  await relays.stop();
  relays.listener.stop();
});

function runWorker(): void {
  const connection = connectRedis(deps.env.redisUrl, "worker");
  const worker = startWorker("paySettlement", process, connection);
  running.push(async () => {
    await worker.close();
    connection.disconnect();
  });
}

const viewOf = (body: unknown) => v.parse(eventAnswer, body).event;
async function resolve(eventId: number, result: true | false | "void" = true, reason?: string) {
  const event = { state_event: "resolve", result, reason };
  const { status, body } = await admin.send("PATCH", `/api/v1/events/${eventId}/state`, { event });
  expect(status).toBe(200);
  return viewOf(body);
}
const look = async (eventId: number) => viewOf((await admin.get(`/api/v1/events/${eventId}`)).body);
const untilPaid = (eventId: number) =>
  waitFor("the event to be paid", async () => (await look(eventId)).settlement === "paid");

const won = { posted: [10_100, 10_100, 10_100, 9_700], held: [0, 0, 0, 0] };
const unpaid = { posted: [10_000, 10_000, 10_000, 10_000], held: [100, 100, 100, 300] };

async function expectPaidOnce(large: LargeEvent): Promise<void> {
  expect(await readWalletsOf(deps, large)).toEqual(won);
  await expectBooksToAgree(deps);
}

test("the host's answer says that the result is being paid; a worker pays it, and then it is paid", async () => {
  const large = await buildLargeEvent(deps);
  const { eventId } = large;
  expect(await look(eventId)).toMatchObject({ settlement: null, plan: { paying: null } });
  const paying = { paidCallsCount: 0, callsCount: 4 };
  expect(await resolve(eventId)).toMatchObject({ result: true, settlement: "paying", plan: { paying } });
  expect(await readWalletsOf(deps, large)).toEqual(unpaid);
  runWorker();
  await untilPaid(eventId);
  expect(await look(eventId)).toMatchObject({ settlement: "paid", plan: { paying: null } });
  await expectPaidOnce(large);
});

test("a result without calls is paid at once", async () => {
  const { id: sessionId } = await build.runningSession();
  const { id } = await build.event("open", { sessionId });
  expect(await resolve(id)).toMatchObject({ settlement: "paid", plan: { paying: null } });
  expect(await listUnpaidSettlements(db, [id])).toEqual([]);
});

test("a result with as many calls as a page shows no progress for is one part", async () => {
  const [row] = await db.execute(sql`SELECT settle_part_max() AS size`);
  expect(row).toEqual({ size: SMALL_SETTLEMENT_MAX });
});

test("without a worker the sweep of any process pays", async () => {
  const large = await buildLargeEvent(deps);
  await resolve(large.eventId);
  const sweep = startSweep(process);
  running.push(sweep.stop);
  await untilPaid(large.eventId);
  await expectPaidOnce(large);
});

test("the sweep leaves a new result, and one that another process is paying, to that process", async () => {
  const large = await buildLargeEvent(deps);
  const { eventId } = large;
  await resolve(eventId);
  const first = await sweepSettlements(deps, { lastPass: new Map() });
  expect(first).toEqual(new Map([[eventId, 0]]));
  expect(await sweepSettlements(deps, { lastPass: new Map([[eventId, 3]]) })).toEqual(first);
  expect(await readWalletsOf(deps, large)).toEqual(unpaid);
  await sweepSettlements(deps, { lastPass: first });
  await expectPaidOnce(large);
});

test("a result that cannot be paid does not keep the sweep from the others", async () => {
  const [stuck, other] = [await buildLargeEvent(deps), await buildLargeEvent(deps)];
  for (const { eventId } of [stuck, other]) await resolve(eventId);
  await deps.pool.sql.unsafe(`
    CREATE FUNCTION refuse_payment() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not payable'; END $$;
    CREATE TRIGGER refuse_payment BEFORE UPDATE ON calls FOR EACH ROW WHEN (OLD.event_id = ${stuck.eventId})
      EXECUTE FUNCTION refuse_payment()`);
  const failures: unknown[] = [];
  await sweepSettlements(deps, { onFailure: (error) => failures.push(error) });
  expect(failures).toHaveLength(1);
  expect(await readWalletsOf(deps, stuck)).toEqual(unpaid);
  await expectPaidOnce(other);
  await deps.pool.sql.unsafe("DROP FUNCTION refuse_payment CASCADE");
  await timer.pay();
  await expectPaidOnce(stuck);
});

test("a small result does not wait behind a large one", async () => {
  const large = await buildLargeEvent(deps);
  const { id: sessionId } = await build.runningSession();
  const { id: small } = await build.event("open", { sessionId });
  await build.call({ userId: (await build.player()).id, eventId: small });
  await payInParts({ partMax: 1 });
  await resolve(large.eventId);
  // The first part of the large one waits for this wallet.
  await inLongTransaction(db, async (tx) => {
    await tx.execute(sql`SELECT 1 FROM accounts WHERE user_id = ${large.players[3].id} FOR NO KEY UPDATE`);
    runWorker();
    const lock = `lock:{event:${large.eventId}}`;
    await waitFor("the large one to be at work", async () => (await deps.redis.exists(lock)) === 1);
    await resolve(small);
    await untilPaid(small);
    expect(await readWalletsOf(deps, large)).toEqual(unpaid);
  });
  await untilPaid(large.eventId);
  await payInParts();
  await expectPaidOnce(large);
});

test("the result is broadcast first, then each player's payout, then that all are paid; the leaders follow the payouts", async () => {
  const { eventId, players } = await buildLargeEvent(deps);
  const { sessionId } = await look(eventId);
  await relays.sendAndClear(process);
  await resolve(eventId);
  await relays.allSent();
  const { listener } = relays;
  const ofSession = sessionStream(sessionId ?? 0);
  const own = players.map(({ id }) => userStream(id));
  // Leaders of other sessions may be late.
  const messages = () =>
    listener.messages.filter(({ stream }) => stream === ofSession || own.includes(stream));
  const named = () =>
    messages().map(({ stream, message }) => {
      const whose = stream === ofSession ? "session" : "player";
      return `${whose}: ${message.sourceType}/${message.eventType}`;
    });
  expect(named().at(-1)).toBe("player: Call/close_call");
  expect(listener.session(sessionId ?? 0).findLast(({ eventType }) => eventType === "resolve")).toMatchObject(
    { detail: { event: { result: true, settlement: "paying" } } },
  );
  const decided = named().length;
  runWorker();
  await waitFor("the leaders", () => named().includes(LEADERS));
  const payouts = players.map(() => "player: Call/resolve_call");
  await waitFor("the payment", () => named().includes("session: Event/pay"));
  // Leaders and pools have timers of their own, which may be the first on a busy machine.
  const broadcast = named().slice(decided);
  expect(broadcast.filter((name) => name !== LEADERS && name !== "session: Spot/pool")).toEqual([
    ...payouts,
    "session: Event/pay",
  ]);
  expect(broadcast.indexOf(LEADERS)).toBeGreaterThanOrEqual(payouts.length);
  expect(
    new Set(
      messages()
        .slice(decided)
        .map(({ stream }) => stream)
        .filter((stream) => stream !== ofSession),
    ),
  ).toEqual(new Set(own));
  expect(listener.session(sessionId ?? 0).findLast(({ eventType }) => eventType === "pay")).toMatchObject({
    detail: { event: { result: true, settlement: "paid" } },
  });
});
