import { expect } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { type DatabasePool, inTransaction, type Queryable } from "#db/client.ts";
import { refundActiveCalls } from "#db/ledger/cancel-call.ts";
import { openWallet } from "#db/ledger/grant-play-money.ts";
import { gateEvent } from "#db/ledger/locks.ts";
import { payWholeSettlement } from "#db/ledger/pay-settlement-part.ts";
import { type PlaceCall, type PlacedCall, placeCalls } from "#db/ledger/place-calls.ts";
import { queryRow, queryRows, wholeNumber } from "#db/ledger/query.ts";
import { settleEvent } from "#db/ledger/settle-event.ts";
import { closeCalls } from "#tests/support/close-calls.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDatabase } from "#tests/support/database.ts";
import { giveMoney } from "#tests/support/give-money.ts";
import { balances, expectBooksToAgree, foundAfter, refusalCodeOf, violationOfStatement } from "./books.ts";

/** The fixtures of the ledger's tests: players, sessions and events, made with plain SQL and moved as the verbs move them. */
export type BuiltEvent = { id: number; sessionId: number | null; trueSpot: number; falseSpot: number };
export type Result = "true" | "false" | "void";

const id = v.object({ id: wholeNumber });
let lastNumber = 0;

/** A number that is unique in this test run. */
export const unique = (): number => ++lastNumber;

export async function buildPlayer(pool: DatabasePool, amountCents = 10_000): Promise<number> {
  const player = await queryRow(pool.db, id)`
    INSERT INTO users (username, robot) VALUES (${`player_${unique()}`}, true) RETURNING id`;
  await openWallet(pool.db, player.id);
  await giveMoney(pool.db, player.id, amountCents);
  return player.id;
}

export async function buildSession(pool: DatabasePool): Promise<number> {
  const session = await queryRow(pool.db, id)`
    INSERT INTO sessions (slug, name) VALUES (${`session-${unique()}`}, 'Session') RETURNING id`;
  await pool.db.execute(
    sql`UPDATE sessions SET state = 'running', started_at = game_now() WHERE id = ${session.id}`,
  );
  return session.id;
}

export async function buildDraft(
  pool: DatabasePool,
  { sessionId = null, maxWagerCents = null, minWagerCents = 1 }: Partial<EventTerms> = {},
): Promise<BuiltEvent> {
  const event = await queryRow(pool.db, id)`
    INSERT INTO events (session_id, title, min_wager_cents, max_wager_cents)
    VALUES (${sessionId}, 'Will it?', ${minWagerCents}, ${maxWagerCents}) RETURNING id`;
  const [trueSpot, falseSpot] = await queryRows(pool.db, id)`
    INSERT INTO spots (event_id, side) VALUES (${event.id}, 'true'), (${event.id}, 'false') RETURNING id`;
  if (trueSpot === undefined || falseSpot === undefined) throw new Error("an event has two spots");
  return { id: event.id, sessionId, trueSpot: trueSpot.id, falseSpot: falseSpot.id };
}

export type EventTerms = { sessionId: number | null; maxWagerCents: number | null; minWagerCents: number };

export async function buildOpenEvent(
  pool: DatabasePool,
  { closesInMs = 1_200_000, ...terms }: Partial<EventTerms> & { closesInMs?: number } = {},
): Promise<BuiltEvent> {
  const event = await buildDraft(pool, terms);
  await openEvent(pool.db, event, closesInMs);
  return event;
}

export async function openEvent(db: Queryable, event: BuiltEvent, closesInMs = 1_200_000): Promise<void> {
  await db.execute(sql`UPDATE events SET state = 'visible' WHERE id = ${event.id}`);
  await db.execute(sql`UPDATE events SET state = 'open', closes_at = game_now() + make_interval(secs => ${closesInMs / 1000})
    WHERE id = ${event.id}`);
  await db.execute(sql`UPDATE spots SET state = 'open' WHERE event_id = ${event.id}`);
}

type AskedCall = Partial<PlaceCall> & { userId: number; spotId: number };

/** Places one call, as soon as no other transaction holds its event or wallet. */
export async function placeCall(pool: DatabasePool, call: AskedCall) {
  const filled = { wagerCents: 100, idempotencyKey: `key-${unique()}`, ...call };
  for (;;) {
    const [outcome] = await placeCalls(pool, [filled]);
    if (outcome === undefined) throw new Error("the call has no outcome");
    if (outcome.code !== "busy") return outcome;
  }
}

/** Places a call in a transaction that goes on. */
export const placeIn = (tx: Queryable, userId: number, spotId: number) =>
  tx.execute(sql`SELECT placed.code FROM lock_for_calls(ARRAY[${userId}]::bigint[], ARRAY[${spotId}]::bigint[]) AS locked,
    place_gated_calls(ARRAY[${userId}]::bigint[], ARRAY[${spotId}]::bigint[], ARRAY[10]::bigint[], ARRAY['in-flight'], ARRAY[false],
      locked.gated) AS placed`);

/** Places a call that must be accepted. Returns its id. */
export async function buildCall(pool: DatabasePool, call: AskedCall) {
  const answer: PlacedCall = await placeCall(pool, call);
  if (answer.code !== "placed" || answer.callId === null) throw new Error(`not placed: ${answer.code}`);
  return answer.callId;
}

/** The code of a call that is refused. Checks that nothing has changed and that the books agree. */
async function refusedCodeOf(pool: DatabasePool, call: AskedCall): Promise<string> {
  const before = await digestTables(pool.db);
  const { code, callId } = await placeCall(pool, call);
  expect(await digestTables(pool.db)).toBe(before);
  await expectBooksToAgree(pool);
  expect(callId).toBeNull();
  return code;
}

export function closeEvent(pool: DatabasePool, event: BuiltEvent): Promise<number> {
  return inTransaction(pool.db, async (tx) => {
    await gateEvent(tx, event.id);
    await tx.execute(sql`UPDATE events SET state = 'closed' WHERE id = ${event.id}`);
    await tx.execute(sql`UPDATE spots SET state = 'closed' WHERE event_id = ${event.id}`);
    return closeCalls(tx, event.id);
  });
}

export type ResolveTerms = { result: Result; reason?: string; effectiveAt?: Date };

/** Decides the result of a closed event, or corrects it, and pays nobody. Returns the settlement's id. */
export function decideEvent(pool: DatabasePool, event: BuiltEvent, how: ResolveTerms): Promise<number> {
  return inTransaction(pool.db, async (tx) => {
    await gateEvent(tx, event.id);
    await tx.execute(
      sql`UPDATE events SET state = 'resolved', result = ${how.result},
        effective_at = ${how.effectiveAt?.toISOString() ?? null} WHERE id = ${event.id}`,
    );
    await tx.execute(
      sql`UPDATE spots SET won = CASE WHEN ${how.result} <> 'void' THEN side = ${how.result} END WHERE event_id = ${event.id}`,
    );
    return settleEvent(tx, { eventId: event.id, actorId: null, ...how });
  });
}

/** Decides the result of a closed event, or corrects it, and pays all players. Returns the settlement's id. */
export async function resolveEvent(
  pool: DatabasePool,
  event: BuiltEvent,
  how: ResolveTerms,
): Promise<number> {
  const settlementId = await decideEvent(pool, event, how);
  await inTransaction(pool.db, (tx) => payWholeSettlement(tx, event.id));
  return settlementId;
}

export async function closeAndResolve(pool: DatabasePool, event: BuiltEvent, result: Result): Promise<void> {
  await closeEvent(pool, event);
  await resolveEvent(pool, event, { result });
}

/** Refunds or reverses everything, and starts the next round. */
export function resetEvent(pool: DatabasePool, event: BuiltEvent): Promise<void> {
  return inTransaction(pool.db, async (tx) => {
    await gateEvent(tx, event.id);
    const { result } = await queryRow(tx, v.object({ result: v.nullable(v.string()) }))`
      SELECT result FROM events WHERE id = ${event.id} FOR NO KEY UPDATE`;
    if (result === null) await refundActiveCalls(tx, { eventId: event.id, cause: "reset" });
    else await settleEvent(tx, { eventId: event.id, result: "void", actorId: null, reason: "reset" });
    await payWholeSettlement(tx, event.id);
    await writeRefundAudit(tx, event, "reset");
    await tx.execute(sql`UPDATE spots SET state = 'closed', won = NULL WHERE event_id = ${event.id}`);
    await tx.execute(sql`UPDATE events SET state = 'draft', result = NULL, effective_at = NULL, closes_at = NULL, round = round + 1
      WHERE id = ${event.id}`);
  });
}

/** The audit line of the action that refunds calls of an event, as its verb writes it. */
export async function writeRefundAudit(
  db: Queryable,
  { id: eventId }: { id: number },
  action: "skip" | "reset" | { destroyed: number },
): Promise<void> {
  const line =
    typeof action === "string"
      ? { action, before: {} }
      : { action: "destroy_call", before: { callId: action.destroyed } };
  await db.execute(sql`INSERT INTO audit (action, subject_type, subject_id, before)
    VALUES (${line.action}, 'event', ${eventId}, ${JSON.stringify(line.before)}::text::jsonb)`);
}

/** The ledger of this test file: an empty database, and what is built, moved and expected there. */
export async function testLedger(options?: Parameters<typeof testDatabase>[0]) {
  const { url, pool } = await testDatabase(options);
  return {
    url,
    pool,
    db: pool.db,
    player: (amountCents?: number) => buildPlayer(pool, amountCents),
    session: () => buildSession(pool),
    draft: (terms?: Partial<EventTerms>) => buildDraft(pool, terms),
    openEvent: (terms?: Parameters<typeof buildOpenEvent>[1]) => buildOpenEvent(pool, terms),
    place: (call: AskedCall) => placeCall(pool, call),
    call: (call: AskedCall) => buildCall(pool, call),
    refusedCall: (call: AskedCall) => refusedCodeOf(pool, call),
    open: (event: BuiltEvent, closesInMs?: number) => openEvent(pool.db, event, closesInMs),
    close: (event: BuiltEvent) => closeEvent(pool, event),
    decide: (event: BuiltEvent, how: ResolveTerms) => decideEvent(pool, event, how),
    resolve: (event: BuiltEvent, how: ResolveTerms) => resolveEvent(pool, event, how),
    settle: (event: BuiltEvent, result: Result) => closeAndResolve(pool, event, result),
    reset: (event: BuiltEvent) => resetEvent(pool, event),
    balances: (userId: number) => balances(pool, userId),
    expectToAgree: () => expectBooksToAgree(pool),
    /** The code with which the ledger refuses `work`. Checks that nothing has changed and that the books agree. */
    refusalOf: (work: () => Promise<unknown>) => refusalCodeOf(pool, work),
    /** What a statement violates, checked in the same way. */
    violation: (statement: string) => violationOfStatement(pool, statement),
    foundAfter: (work: Parameters<typeof foundAfter>[1]) => foundAfter(pool, work),
  };
}
