import { eq } from "drizzle-orm";
import { CANCEL_BEFORE_CLOSE_MS, CANCEL_BEFORE_PAUSE_MS } from "#db/lists/limits.ts";
import { calls } from "#db/schema/calls.ts";
import { outcomeOf, runUntil } from "#src/dry-runs/simulate/play-show.ts";
import {
  nameOf,
  readSnapshots,
  spotOf,
  type EventSnapshot,
  type AcceptedCall,
} from "#src/dry-runs/simulate/show.ts";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import { only } from "#tests/support/build.ts";
import { pick, record, type World } from "./world.ts";

/** Waits for what somebody does, and writes it into the trace. */
export async function perform<Value>(world: World, label: string, deed: Promise<Value>) {
  const outcome = await outcomeOf(deed);
  record(world, `${label}: ${outcome.text}`);
  return outcome;
}

/** Whether an event accepts calls now, by its state and the clock alone. */
const acceptsCalls = ({ event, session }: EventSnapshot, nowMs: number) =>
  event.state === "open" &&
  session.state === "running" &&
  event.closesAt !== null &&
  nowMs < event.closesAt.getTime();

/** Whether the close is over, on the session's clock. */
const isLate = ({ event, session }: EventSnapshot, nowMs: number) =>
  ["open", "closed", "resolved"].includes(event.state) &&
  event.closesAt !== null &&
  (session.pausedAt?.getTime() ?? nowMs) >= event.closesAt.getTime();

const clockRefusals = new Set(["late", "invalid_spot_state", "paused"]);

/** Players place calls on an event, one after the other; most often on an open one. */
export async function placeCalls(world: World): Promise<void> {
  const { dice } = world;
  const snapshots = await waitForOpenEvent(world);
  if (snapshots.length === 0) return;
  const open = snapshots.filter(({ event }) => event.state === "open");
  const snapshot = pick(dice, open.length > 0 && dice.chance(0.95) ? open : snapshots);
  const count = open.length > 0 ? dice.between(1, 8) : 1;
  for (let sent = 0; sent < count; sent += 1) await callOnEvent(world, snapshot);
}

/** If no event is open, mostly waits for the next one to open. */
async function waitForOpenEvent(world: World): Promise<EventSnapshot[]> {
  const { dice, clock } = world;
  const snapshots = await readSnapshots(world);
  if (snapshots.some(({ event }) => event.state === "open") || dice.chance(0.2)) return snapshots;
  const openings = snapshots.flatMap(({ event, session }) =>
    session.state === "running" && event.opensAt !== null && event.opensAt.getTime() > clock.nowMs()
      ? [event.opensAt.getTime()]
      : [],
  );
  if (openings.length === 0) return snapshots;
  await runUntil(world, Math.min(...openings));
  return readSnapshots(world);
}

async function callOnEvent(world: World, snapshot: EventSnapshot): Promise<void> {
  const { dice, deps } = world;
  const { id: userId } = pick(dice, world.players);
  const spotId = spotOf(world, snapshot.event.id, dice.chance(0.6) ? "true" : "false");
  const wagerCents = pick(dice, [
    3,
    dice.between(1, 100),
    dice.between(1, 100),
    dice.between(50, 900),
    dice.between(1, 6_000),
  ]);
  const key = `world-${userId}-${world.trace.length}-${dice.between(0, 1_000_000)}`;
  const expected = acceptsCalls(snapshot, world.clock.nowMs());
  const outcome = await perform(
    world,
    `player calls ${wagerCents} on ${nameOf(world, snapshot.event.id)}`,
    placeCall(deps, { viewer: { id: userId }, spotId, wagerCents, idempotencyKey: key }),
  );
  if (outcome.done) {
    world.calls.push({ userId, spotId, wagerCents, key, callId: outcome.value.callId });
    if (!expected) throw new Error("a call was accepted although the event accepts none");
    if (outcome.value.replayed) throw new Error("a new call was answered as a replay");
  } else if (expected && clockRefusals.has(outcome.refusal.code)) {
    throw new Error("a call was refused for its time although the event accepts calls");
  } else if (outcome.refusal.code === "invalid_spot_state" && isLate(snapshot, world.clock.nowMs())) {
    throw new Error("a call after the close was not refused as late");
  }
}

/** A player sends an accepted call again under its key, as if the answer was lost: the first call is answered again. */
export async function resendCall(world: World): Promise<void> {
  const { dice, calls: accepted } = world;
  if (accepted.length === 0) return;
  const { userId, spotId, wagerCents, key, callId } = pick(dice, accepted);
  const other = dice.chance(0.3) ? wagerCents + 1 : wagerCents;
  const outcome = await perform(
    world,
    `player sends call ${accepted.findIndex((call) => call.callId === callId) + 1} again`,
    placeCall(world.deps, { viewer: { id: userId }, spotId, wagerCents: other, idempotencyKey: key }),
  );
  const repeated = outcome.done && outcome.value.replayed && outcome.value.callId === callId;
  const refused = !outcome.done && outcome.refusal.code === "idempotency_key_reused";
  if (other === wagerCents ? !repeated : !refused)
    throw new Error("a call under a used key got the wrong answer");
}

/** A player cancels a call, most often one of the last three, and sometimes another player's. */
export async function cancelSomeCall(world: World): Promise<void> {
  const { dice, calls: accepted } = world;
  if (accepted.length === 0) return;
  const call = dice.chance(0.7) ? pick(dice, accepted.slice(-3)) : pick(dice, accepted);
  const viewer = dice.chance(0.1) ? pick(dice, world.players) : { id: call.userId };
  const expected = viewer.id === call.userId && (await mayCancel(world, call));
  const outcome = await perform(
    world,
    `player cancels call ${accepted.indexOf(call) + 1}`,
    cancelCall(world.deps, { viewer, callId: call.callId }),
  );
  if (outcome.done !== expected) {
    throw new Error(`the cancellation should have been ${expected ? "done" : "refused"}`);
  }
  if (!outcome.done) return;
  const { state } = await readCall(world, call);
  if (state !== "soft_destroyed") throw new Error(`a cancelled call is ${state}`);
}

/**
 * A call can be cancelled until 5 s before the close; a pause stops the clock, and leaves that to the calls of the 10 s before it.
 * Cancelling it again is done, and changes nothing.
 */
async function mayCancel(world: World, call: AcceptedCall): Promise<boolean> {
  const { state, eventId, placedAt } = await readCall(world, call);
  if (state !== "placed") return state === "soft_destroyed";
  const snapshot = (await readSnapshots(world)).find(({ event }) => event.id === eventId);
  if (snapshot?.event.state !== "open") return false;
  const { event, session } = snapshot;
  const pausedMs = session.pausedAt?.getTime();
  if (pausedMs !== undefined && pausedMs - placedAt.getTime() > CANCEL_BEFORE_PAUSE_MS) return false;
  const sessionNowMs = pausedMs ?? world.clock.nowMs();
  return (event.closesAt?.getTime() ?? 0) - sessionNowMs >= CANCEL_BEFORE_CLOSE_MS;
}

async function readCall({ deps }: World, { callId }: AcceptedCall) {
  return only(
    await deps.pool.db
      .select({ state: calls.state, eventId: calls.eventId, placedAt: calls.placedAt })
      .from(calls)
      .where(eq(calls.id, callId)),
  );
}
