import { expect } from "bun:test";
import { eq } from "drizzle-orm";
import { CANCEL_BEFORE_CLOSE_MS, CANCEL_BEFORE_PAUSE_MS } from "#db/lists/limits.ts";
import { calls } from "#db/schema/calls.ts";
import { outcomeOf } from "#src/dry-runs/simulate/play-show.ts";
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
import { indexOf, passUntil, perform } from "./act.ts";
import { compareWithProduct } from "./model/compare.ts";
import { DONE } from "./model/model.ts";
import { cancelInModel, placeInModel } from "./model/session-rules.ts";
import { pick } from "./plan-world.ts";
import { record, type World } from "./world.ts";

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
  await passUntil(world, Math.min(...openings));
  return readSnapshots(world);
}

/** A random call on an event. Only a world with a model has calls that the house adds to: what it adds is no granted money. */
function drawCall(world: World, { event }: EventSnapshot) {
  const { dice, model } = world;
  const { id: userId } = pick(dice, world.players);
  const side = dice.chance(0.6) ? ("true" as const) : ("false" as const);
  const wagerCents = pick(dice, [
    3,
    dice.between(1, 100),
    dice.between(1, 100),
    dice.between(50, 900),
    dice.between(1, 6_000),
  ]);
  const key = `world-${userId}-${world.trace.length}-${dice.between(0, 1_000_000)}`;
  const call = { userId, spotId: spotOf(world, event.id, side), wagerCents, key };
  const onTheHouse = model !== null && dice.chance(0.5);
  const inModel = {
    player: indexOf(world, userId),
    side,
    cents: wagerCents,
    event: world.eventIds.indexOf(event.id),
    onTheHouse,
  };
  return { call, onTheHouse, inModel };
}

async function placeInProduct(
  world: World,
  { call, onTheHouse }: Pick<ReturnType<typeof drawCall>, "call" | "onTheHouse">,
): Promise<{ replayed: boolean }> {
  const { userId, spotId, wagerCents, key: idempotencyKey } = call;
  const asked = { viewer: { id: userId }, spotId, wagerCents, idempotencyKey, onTheHouse };
  const { callId, replayed } = await placeCall(world.deps, asked);
  world.calls.push({ ...call, callId });
  return { replayed };
}

async function callOnEvent(world: World, snapshot: EventSnapshot): Promise<void> {
  const drawn = drawCall(world, snapshot);
  const expected = acceptsCalls(snapshot, world.clock.nowMs());
  const label = `player calls ${drawn.call.wagerCents} on ${nameOf(world, snapshot.event.id)}`;
  const outcome = await perform(world, label, {
    inProduct: () => placeInProduct(world, drawn),
    inModel: (model) => placeInModel(model, drawn.inModel),
  });
  if (outcome.done) {
    if (!expected) throw new Error("a call was accepted although the event accepts none");
    if (outcome.value.replayed) throw new Error("a new call was answered as a replay");
  } else if (expected && clockRefusals.has(outcome.refusal.code)) {
    throw new Error("a call was refused for its time although the event accepts calls");
  } else if (outcome.refusal.code === "invalid_spot_state" && isLate(snapshot, world.clock.nowMs())) {
    throw new Error("a call after the close was not refused as late");
  }
}

/** Several players call at the same moment, in a world with a model. The replies are those of calls one after the other. */
export async function callAtOnce(world: World): Promise<void> {
  const { dice, model } = world;
  const open = (await readSnapshots(world)).filter(({ event }) => event.state === "open");
  if (model === null || open.length === 0) return;
  const snapshot = pick(dice, open);
  const drawn = Array.from({ length: dice.between(3, 8) }, () => drawCall(world, snapshot));
  const before = model.calls.length;
  const replies = drawn.map(({ inModel }) => placeInModel(model, inModel));
  const outcomes = await Promise.all(drawn.map((each) => outcomeOf(placeInProduct(world, each))));
  const texts = outcomes.map(({ text }) => text);
  record(world, `at once on ${nameOf(world, snapshot.event.id)}: ${texts.join("; ")}`);
  expect(texts).toEqual(replies);
  expect(world.calls.length - before).toBe(replies.filter((reply) => reply === DONE).length);
  orderByCallId(world, before);
  await compareWithProduct(model, world);
}

/** Orders concurrent calls by their ids in the product, by which the left-over cents of a pool are given. */
function orderByCallId({ model, calls: accepted }: World, from: number): void {
  if (model === null) return;
  const pairs = accepted.slice(from).map((call, index) => ({ call, modelled: model.calls[from + index] }));
  pairs.sort((one, other) => one.call.callId - other.call.callId);
  accepted.splice(from, pairs.length, ...pairs.map(({ call }) => call));
  model.calls.splice(from, pairs.length, ...pairs.flatMap(({ modelled }) => modelled ?? []));
}

/** A player sends an accepted call again under its key, as if the answer was lost: the first call is answered again. */
export async function resendCall(world: World): Promise<void> {
  const { dice, calls: accepted } = world;
  if (accepted.length === 0) return;
  const { userId, spotId, wagerCents, key, callId } = pick(dice, accepted);
  const other = dice.chance(0.3) ? wagerCents + 1 : wagerCents;
  const outcome = await outcomeOf(
    placeCall(world.deps, { viewer: { id: userId }, spotId, wagerCents: other, idempotencyKey: key }),
  );
  record(
    world,
    `player sends call ${accepted.findIndex((call) => call.callId === callId) + 1} again: ${outcome.text}`,
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
  const index = accepted.indexOf(call);
  const outcome = await perform(world, `player cancels call ${index + 1}`, {
    inProduct: () => cancelCall(world.deps, { viewer, callId: call.callId }),
    inModel: (model) => cancelInModel(model, { call: index, player: indexOf(world, viewer.id) }),
  });
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
