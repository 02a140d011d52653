import { expect } from "bun:test";
import { asc, eq, inArray } from "drizzle-orm";
import { readWallets } from "#db/ledger/read-wallet.ts";
import { type CallState } from "#db/lists/calls.ts";
import { calls } from "#db/schema/calls.ts";
import { spots } from "#db/schema/events.ts";
import { settlements } from "#db/schema/ledger.ts";
import { sessions } from "#db/schema/sessions.ts";
import { activeCallStates } from "#src/calls/contract.ts";
import { listDifferences } from "#tests/support/books.ts";
import { checkFacts } from "./check-facts.ts";
import { checkSchedule } from "./check-schedule.ts";
import { payOut, type Stake } from "./expected-payouts.ts";
import { readSnapshots, type EventSnapshot, type World } from "./world.ts";

/** Checks all invariants of a world, which hold at every moment; throws at the first violation. */
export async function checkWorld(world: World): Promise<void> {
  const { db } = world.deps.pool;
  expect(await listDifferences(db)).toEqual([]);
  const snapshots = await readSnapshots(world);
  const ofWorld = { spots: await listSpots(world), calls: await listCalls(world) };
  for (const snapshot of snapshots) {
    checkSchedule(snapshot);
    checkSpots(
      snapshot,
      ofWorld.spots.filter(({ eventId }) => eventId === snapshot.event.id),
    );
  }
  await checkSettlements(world, ofWorld.calls);
  await checkWallets(world, ofWorld.calls);
  checkCalls(world, ofWorld.calls, snapshots);
  await checkSessions(world);
  await checkFacts(world, snapshots, ofWorld.calls);
}

type Spot = typeof spots.$inferSelect;

function checkSpots({ event }: EventSnapshot, both: readonly Spot[]): void {
  const { state, result } = event;
  for (const spot of both) {
    const expected = state === "open" || state === "soft_destroyed" ? state : "closed";
    const won = result === null || result === "void" ? null : result === spot.side;
    expect({ event: state, spot: spot.state, won: spot.won }).toEqual({ event: state, spot: expected, won });
  }
}

type Call = typeof calls.$inferSelect & { side: "true" | "false"; spotRound: number };

async function checkSettlements({ deps, eventIds }: World, all: readonly Call[]): Promise<void> {
  const live = await deps.pool.db
    .select()
    .from(settlements)
    .where(inArray(settlements.eventId, eventIds))
    .orderBy(asc(settlements.id));
  for (const { eventId, round, result, effectiveAt, superseded } of live) {
    if (superseded) continue;
    const settled = all.filter(
      (call) => call.eventId === eventId && call.round === round && call.state === "resolved",
    );
    const stakes = settled.map(({ id, side, wagerCents, placedAt }): Stake => {
      return { id, side, wagerCents, placedMs: placedAt.getTime() };
    });
    const paid = payOut(stakes, { result, effectiveMs: effectiveAt?.getTime() ?? null });
    for (const { id, payoutCents, outcome } of settled) {
      expect({ payoutCents, outcome }).toEqual(paid.get(id) ?? { payoutCents: 0, outcome: "lost" });
    }
  }
}

/** Money only moves between players: each has the granted amount plus the net of the player's own calls. */
async function checkWallets({ deps, grantedCents }: World, all: readonly Call[]): Promise<void> {
  const wallets = await readWallets(deps.pool.db, [...grantedCents.keys()]);
  expect(wallets).toHaveLength(grantedCents.size);
  for (const { userId, postedCents, heldCents, availableCents, owedCents } of wallets) {
    const own = all.filter((call) => call.userId === userId);
    const netCents = sum(
      own.map(({ payoutCents, wagerCents }) => (payoutCents === null ? 0 : payoutCents - wagerCents)),
    );
    const atStake = own.filter(({ state }) => activeCallStates.includes(state));
    expect(postedCents - owedCents).toBe((grantedCents.get(userId) ?? 0) + netCents);
    expect(heldCents).toBe(sum(atStake.map(({ wagerCents }) => wagerCents)));
    expect(Math.min(postedCents, heldCents, availableCents, owedCents)).toBeGreaterThanOrEqual(0);
  }
}

/** Every accepted call exists, no other does, and each call's state fits its event's. */
function checkCalls(
  { calls: accepted }: World,
  all: readonly Call[],
  snapshots: readonly EventSnapshot[],
): void {
  expect(all.map(({ id }) => id)).toEqual(accepted.map(({ callId }) => callId));
  for (const { eventId, round, state } of all) {
    const snapshot = snapshots.find(({ event }) => event.id === eventId);
    if (snapshot === undefined || state === "soft_destroyed") continue;
    const { event } = snapshot;
    // An earlier round only has calls that were settled or cancelled.
    const expected: CallState = round < event.round ? "resolved" : callStateIn(event);
    expect(`${state} on ${event.state}`).toBe(`${expected} on ${event.state}`);
  }
}

function callStateIn({ state, result }: EventSnapshot["event"]): CallState {
  if (result !== null) return "resolved";
  return state === "open" ? "placed" : "closed";
}

async function checkSessions({ deps, sessionIds }: World): Promise<void> {
  const rows = await deps.pool.db
    .select()
    .from(sessions)
    .where(inArray(sessions.id, [...sessionIds]));
  expect(rows.filter(({ active }) => active).length).toBeLessThanOrEqual(1);
  for (const { state, active, pausedAt, stoppedAt } of rows) {
    expect({ state, paused: pausedAt !== null, stopped: stoppedAt !== null }).toEqual({
      state,
      paused: state === "paused",
      stopped: state === "stopped",
    });
    if (state === "stopped") expect(active).toBe(false);
  }
}

function listSpots({ deps, eventIds }: World): Promise<Spot[]> {
  return deps.pool.db
    .select()
    .from(spots)
    .where(inArray(spots.eventId, eventIds))
    .orderBy(asc(spots.id))
    .execute();
}

async function listCalls({ deps, eventIds }: World): Promise<Call[]> {
  const rows = await deps.pool.db
    .select({ call: calls, side: spots.side, spotRound: calls.round })
    .from(calls)
    .innerJoin(spots, eq(spots.id, calls.spotId))
    .where(inArray(calls.eventId, eventIds))
    .orderBy(asc(calls.id));
  return rows.map(({ call, ...rest }) => ({ ...call, ...rest }));
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
