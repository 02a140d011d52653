import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { cancelCall } from "#db/ledger/cancel-call.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { runClock } from "#tests/support/database.ts";
import { type BuiltEvent, testLedger } from "./fixtures.ts";

const ledger = await testLedger();
const { pool, db } = ledger;
const player = await ledger.player();

const violation = (statement: string) => ledger.violation(statement);
const run = (statement: string) => db.execute(sql.raw(statement));
const setEvent = (event: BuiltEvent, values: string) => `UPDATE events SET ${values} WHERE id = ${event.id}`;

/** Events in every state, none with calls. */
async function eventIn(state: string): Promise<BuiltEvent> {
  if (state === "draft") return ledger.draft();
  const event = await ledger.openEvent();
  if (state === "open") return event;
  if (state === "resolved" || state === "hidden after a result") await ledger.settle(event, "true");
  if (state === "hidden after a result") await run(setEvent(event, "state = 'hidden'"));
  if (state === "closed") await ledger.close(event);
  if (["visible", "hidden", "soft_destroyed"].includes(state)) {
    await ledger.reset(event);
    await run(setEvent(event, "state = 'visible'"));
    if (state !== "visible") await run(setEvent(event, `state = '${state}'`));
  }
  return event;
}

/** The states that a plain UPDATE can set. A reset also needs the next round, and resolving a settlement. */
const legal: Record<string, string[]> = {
  draft: ["visible", "soft_destroyed"],
  visible: ["open", "hidden", "soft_destroyed"],
  open: ["closed", "hidden"],
  closed: ["hidden"],
  resolved: ["hidden"],
  hidden: ["visible", "soft_destroyed"],
  "hidden after a result": ["resolved", "soft_destroyed"],
  soft_destroyed: [],
};

for (const [from, allowed] of Object.entries(legal)) {
  test(`an event that is ${from} changes only to ${allowed.join(", ") || "nothing"}`, async () => {
    for (const to of ["draft", "visible", "open", "closed", "resolved", "hidden", "soft_destroyed"]) {
      if (from.startsWith(to)) continue;
      const event = await eventIn(from);
      const statement = setEvent(event, `state = '${to}', closes_at = now() + interval '1 minute'`);
      if (allowed.includes(to)) await run(statement);
      else expect(await violation(statement)).toMatch(/illegal|^events_|active calls/);
    }
  });
}

test("a reset is a new round and a new round is a reset", async () => {
  const event = await eventIn("open");
  expect(await violation(setEvent(event, "state = 'draft'"))).toMatch("illegal round");
  expect(await violation(setEvent(event, "round = 2"))).toMatch("illegal round");
  expect(await violation(setEvent(event, "state = 'draft', round = 3"))).toMatch("illegal round");
  await run(setEvent(event, "state = 'draft', round = 2"));
  expect(await violation(setEvent(event, "round = 1"))).toMatch("illegal round");
});

test("a result is set by resolving and cleared only by a reset", async () => {
  const closed = await eventIn("closed");
  expect(await violation(setEvent(closed, "result = 'true'"))).toMatch(/illegal result/);
  expect(await violation(setEvent(closed, "state = 'resolved'"))).toBe("events_resolved_has_result");
  const resolved = await eventIn("resolved");
  expect(await violation(setEvent(resolved, "result = 'false'"))).toMatch("was not settled so");
  expect(await violation(setEvent(resolved, "state = 'hidden', result = NULL"))).toMatch("illegal result");
  expect(await violation(setEvent(resolved, "state = 'draft', result = NULL, round = 2"))).toMatch(
    "not reversed",
  );
  const hidden = await eventIn("hidden");
  expect(await violation(setEvent(hidden, "state = 'resolved', result = 'true'"))).toMatch("illegal result");
});

test("an event with active calls cannot be hidden or reset", async () => {
  const event = await eventIn("open");
  await ledger.call({ userId: player, spotId: event.trueSpot });
  expect(await violation(setEvent(event, "state = 'hidden'"))).toMatch("has active calls");
  expect(await violation(setEvent(event, "state = 'draft', round = 2"))).toMatch("has active calls");
  await ledger.close(event);
  expect(await violation(setEvent(event, "state = 'hidden'"))).toMatch("has active calls");
});

test("an event starts as a draft of its first round", async () => {
  const start = (columns: string, values: string) =>
    `INSERT INTO events (title, ${columns}) VALUES ('t', ${values})`;
  expect(await violation(start("state", "'visible'"))).toMatch("cannot start like this");
  expect(await violation(start("round", "2"))).toMatch("cannot start like this");
});

test("an open event cannot change its limits or its session", async () => {
  const event = await eventIn("open");
  const session = await ledger.session();
  expect(await violation(setEvent(event, "max_wager_cents = 5"))).toMatch("illegal change of events");
  expect(await violation(setEvent(event, `session_id = ${session}`))).toMatch("illegal change of events");
});

const setSpot = (id: number, values: string) => `UPDATE spots SET ${values} WHERE id = ${id}`;

test("a spot opens and closes, and has a result only while closed", async () => {
  const { trueSpot } = await eventIn("open");
  expect(await violation(setSpot(trueSpot, "won = true"))).toMatch("illegal change of spots");
  await run(setSpot(trueSpot, "state = 'closed'"));
  const decided = await ledger.openEvent();
  await ledger.settle(decided, "true");
  expect(await violation(setSpot(decided.trueSpot, "state = 'open'"))).toMatch("illegal change of spots");
});

test("a hidden spot stays hidden, and a spot with active calls cannot be hidden", async () => {
  const event = await eventIn("open");
  await ledger.call({ userId: player, spotId: event.trueSpot });
  expect(await violation(setSpot(event.trueSpot, "state = 'soft_destroyed'"))).toMatch("has active calls");
  await run(setSpot(event.falseSpot, "state = 'soft_destroyed'"));
  for (const state of ["open", "closed"]) {
    expect(await violation(setSpot(event.falseSpot, `state = '${state}'`))).toMatch("illegal");
  }
});

test("the counters of calls cannot be set directly", async () => {
  const { trueSpot, id } = await eventIn("open");
  expect(await violation(setSpot(trueSpot, "calls_count = 1"))).toMatch("illegal change of spots");
  expect(await violation(setSpot(trueSpot, "pool_cents = 1"))).toMatch("illegal change of spots");
  expect(await violation(setSpot(trueSpot, "side = 'false'"))).toMatch("illegal change of spots");
  expect(await violation(`INSERT INTO spots (event_id, side) VALUES (${id}, 'true')`)).toBe(
    "spots_event_side",
  );
});

const setCall = (id: number, values: string) => `UPDATE calls SET ${values} WHERE id = ${id}`;

test("the terms of a call are immutable, and it is never deleted", async () => {
  const event = await eventIn("open");
  const call = await ledger.call({ userId: player, spotId: event.trueSpot });
  const other = await eventIn("open");
  for (const change of [
    "wager_cents = 1",
    "placed_at = now()",
    "round = 2",
    "idempotency_key = 'x'",
    `spot_id = ${event.falseSpot}`,
    `event_id = ${other.id}, spot_id = ${other.trueSpot}`,
  ]) {
    expect(await violation(setCall(call, change))).toMatch("illegal change of calls");
  }
  expect(await violation(`DELETE FROM calls WHERE id = ${call}`)).toBe("calls is append-only");
});

test("a call changes state only by the transition table", async () => {
  const event = await eventIn("open");
  const call = await ledger.call({ userId: player, spotId: event.trueSpot });
  const gone = await ledger.call({ userId: player, spotId: event.trueSpot });
  await run(setCall(gone, "state = 'soft_destroyed', ended_at = game_now()"));
  const resolve =
    "state = 'resolved', outcome = 'refunded', payout_cents = wager_cents, ended_at = game_now()";
  expect(await violation(setCall(call, resolve))).toMatch("illegal change of calls");
  for (const back of [
    "state = 'placed', ended_at = NULL",
    "state = 'closed', ended_at = NULL",
    "updated_at = now()",
  ]) {
    expect(await violation(setCall(gone, back))).toMatch("illegal change of calls");
  }
  await ledger.close(event);
  expect(await violation(setCall(call, "state = 'placed'"))).toMatch("illegal change of calls");
  await ledger.settle(await ledger.openEvent(), "true");
  expect(await violation(setCall(call, "state = 'resolved', ended_at = game_now()"))).toBe(
    "calls_resolved_has_outcome",
  );
  expect(await violation(setCall(call, "state = 'soft_destroyed', refunded_by = 'admin'"))).toBe(
    "calls_ended",
  );
});

const session = async (...states: string[]) => {
  const id = await ledger.session();
  for (const state of states) await run(setSession(id, state));
  return id;
};
const setSession = (id: number, state: string) => `UPDATE sessions SET state = '${state}',
  paused_at = CASE WHEN '${state}' = 'paused' THEN now() END,
  stopped_at = CASE WHEN '${state}' = 'stopped' THEN now() END WHERE id = ${id}`;

test("a session runs, pauses, resumes and stops; a start is taken back, and a stop only as long as it is known what it ended", async () => {
  for (const states of [[], ["paused"]]) await run(setSession(await session(...states), "pending"));
  await run(setSession(await session("paused", "running", "paused"), "stopped"));
  for (const state of ["pending", "running", "paused"]) {
    expect(await violation(setSession(await session("stopped"), state))).toMatch("illegal");
  }
  const undone = await session("stopped");
  await run(`UPDATE sessions SET before_stop = '{}' WHERE id = ${undone}`);
  await run(setSession(undone, "running"));
});

test("a session starts as pending, and cannot be paused or stopped from there", async () => {
  const start = "INSERT INTO sessions (slug, name, state) VALUES ('early', 'Early', 'running')";
  expect(await violation(start)).toMatch("cannot start like this");
  await run("INSERT INTO sessions (slug, name) VALUES ('later', 'Later')");
  for (const state of ["paused", "stopped"]) {
    expect(await violation(setSession(await findSession("later"), state))).toMatch("illegal");
  }
});

const findSession = async (slug: string) => {
  const [row] = await db.execute(sql`SELECT id FROM sessions WHERE slug = ${slug}`);
  return Number(row?.["id"]);
};

test("the positions of a blueprint are renumbered in one statement and never shared", async () => {
  await run("INSERT INTO blueprints (name) VALUES ('Derby')");
  await run(`INSERT INTO blueprint_events (blueprint_id, position, title)
    SELECT id, n, 't' FROM blueprints, generate_series(1, 4) n`);
  await run("UPDATE blueprint_events SET position = 5 - position");
  expect(await violation("UPDATE blueprint_events SET position = 1 WHERE position = 2")).toBe(
    "blueprint_events_position",
  );
  await ledger.expectToAgree();
});

test("a cancelled call releases its hold, leaves the pool and writes one fact, also when cancelled again", async () => {
  const event = await ledger.openEvent();
  const userId = await ledger.player();
  const callId = await ledger.call({ userId, spotId: event.trueSpot, wagerCents: 300 });
  const kept = await ledger.call({ userId, spotId: event.trueSpot, wagerCents: 50 });
  const answer = { callId, eventId: event.id, wagerCents: 300 };
  expect(await cancelCall(db, { userId, callId })).toEqual(answer);
  const before = await digestTables(db);
  expect(await cancelCall(db, { userId, callId })).toEqual(answer);
  expect(await digestTables(db)).toBe(before);
  expect(await ledger.balances(userId)).toEqual([10_000, 50, 0]);
  const [spot] = await db.execute(
    sql`SELECT calls_count, pool_cents::int FROM spots WHERE id = ${event.trueSpot}`,
  );
  expect(spot).toMatchObject({ calls_count: 1, pool_cents: 50 });
  const facts = await db.execute(
    sql`SELECT payload FROM outbox WHERE kind = 'call_cancelled' AND payload->>'callId' IN (${callId}::text, ${kept}::text)`,
  );
  expect([...facts]).toMatchObject([{ payload: { callId } }]);
  await ledger.expectToAgree();
});

test("a pause stops the clock: a call can be cancelled if 5 s were left when the session was paused", async () => {
  const userId = await ledger.player();
  const sessionId = await ledger.session();
  const event = await ledger.openEvent({ sessionId, closesInMs: 12_000 });
  const callId = await ledger.call({ userId, spotId: event.trueSpot });
  const pauseWithLeft = (seconds: number) =>
    db.execute(sql`UPDATE sessions SET state = 'paused',
      paused_at = (SELECT closes_at FROM events WHERE id = ${event.id}) - make_interval(secs => ${seconds})
      WHERE id = ${sessionId}`);
  await runClock(pool, { aheadMs: 3_600_000 });

  await pauseWithLeft(4.999);
  expect(await ledger.refusalOf(() => cancelCall(db, { userId, callId }))).toBe("wrong_state");
  await pauseWithLeft(5);
  expect(await cancelCall(db, { userId, callId })).toMatchObject({ callId });
  expect(await ledger.balances(userId)).toEqual([10_000, 0, 0]);
  await runClock(pool);
});
