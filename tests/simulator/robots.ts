import { eq } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { cancelCall } from "#src/calls/cancel-call.ts";
import { CANCEL_BEFORE_CLOSE_MS } from "#src/calls/contract.ts";
import { placeCall } from "#src/calls/place-call.ts";
import { only } from "#tests/support/build.ts";
import { outcomeOf } from "./outcome.ts";
import { runUntil } from "./timeline.ts";
import {
  nameOf,
  record,
  pick,
  readSnapshots,
  spotOf,
  type EventSnapshot,
  type AcceptedCall,
  type World,
} from "./world.ts";

/** What the clock alone says of an event: whether it takes calls now. */
export const acceptsCalls = ({ event, session }: EventSnapshot, nowMs: number) =>
  event.state === "open" &&
  session.state === "running" &&
  event.closesAt !== null &&
  nowMs < event.closesAt.getTime();

const clockRefusals = new Set(["late", "invalid_spot_state", "paused"]);

/** Somebody calls on an event, most often on one that is open; sometimes several do, one after the other. */
export async function placeCalls(world: World): Promise<void> {
  const { dice } = world;
  const stands = await waitForOpenEvent(world);
  if (stands.length === 0) return;
  const open = stands.filter(({ event }) => event.state === "open");
  const stand = pick(dice, open.length > 0 && dice.chance(0.95) ? open : stands);
  const count = open.length > 0 ? dice.between(1, 8) : 1;
  for (let sent = 0; sent < count; sent += 1) await callOnEvent(world, stand);
}

/** Where nothing is open, most wait for what opens next. */
async function waitForOpenEvent(world: World): Promise<EventSnapshot[]> {
  const { dice, clock } = world;
  const stands = await readSnapshots(world);
  if (stands.some(({ event }) => event.state === "open") || dice.chance(0.2)) return stands;
  const openings = stands.flatMap(({ event, session }) =>
    session.state === "running" && event.opensAt !== null && event.opensAt.getTime() > clock.nowMs()
      ? [event.opensAt.getTime()]
      : [],
  );
  if (openings.length === 0) return stands;
  await runUntil(world, Math.min(...openings));
  return readSnapshots(world);
}

async function callOnEvent(world: World, stand: EventSnapshot): Promise<void> {
  const { dice } = world;
  const { id: userId } = pick(dice, world.players);
  const spotId = spotOf(world, stand.event.id, dice.chance(0.6) ? "true" : "false");
  const wagerCents = pick(dice, [
    3,
    dice.between(1, 100),
    dice.between(1, 100),
    dice.between(50, 900),
    dice.between(1, 6_000),
  ]);
  await send(world, { userId, spotId, wagerCents, key: `world-${userId}-${world.trace.length}` }, stand);
}

async function send(world: World, call: Omit<AcceptedCall, "callId">, stand: EventSnapshot): Promise<void> {
  const { userId, spotId, wagerCents, key } = call;
  const expected = acceptsCalls(stand, world.clock.nowMs());
  const asked = placeCall(world.deps, { viewer: { id: userId }, spotId, wagerCents, idempotencyKey: key });
  const outcome = await outcomeOf(asked);
  record(world, `player calls ${wagerCents} on ${nameOf(world, stand.event.id)}: ${outcome.text}`);
  if (outcome.done) {
    if (!expected) throw new Error("a call was taken although the event takes none");
    if (outcome.value.replayed) throw new Error("a new call was answered like an old one");
    world.calls.push({ ...call, callId: outcome.value.callId });
  } else if (expected && clockRefusals.has(outcome.refusal.code)) {
    throw new Error("a call was refused for its time although the event takes calls");
  }
}

/** Somebody got no answer and sends the same call once more, whenever that is: the first one is answered again. */
export async function resendCall(world: World): Promise<void> {
  const { dice, calls: taken } = world;
  if (taken.length === 0) return;
  const { userId, spotId, wagerCents, key, callId } = pick(dice, taken);
  const other = dice.chance(0.3) ? wagerCents + 1 : wagerCents;
  const outcome = await outcomeOf(
    placeCall(world.deps, { viewer: { id: userId }, spotId, wagerCents: other, idempotencyKey: key }),
  );
  record(
    world,
    `player sends call ${taken.findIndex((call) => call.callId === callId) + 1} again: ${outcome.text}`,
  );
  const repeated = outcome.done && outcome.value.replayed && outcome.value.callId === callId;
  const refused = !outcome.done && outcome.refusal.code === "idempotency_key_reused";
  if (other === wagerCents ? !repeated : !refused)
    throw new Error("a call under a used key was answered otherwise");
}

/** Somebody takes a call back, most often one of the last, and sometimes another player's. */
export async function cancelAnyCall(world: World): Promise<void> {
  const { dice, calls: taken } = world;
  if (taken.length === 0) return;
  const call = dice.chance(0.7) ? pick(dice, taken.slice(-3)) : pick(dice, taken);
  const viewer = dice.chance(0.1) ? pick(dice, world.players) : { id: call.userId };
  const expected = viewer.id === call.userId && (await mayCancel(world, call));
  const outcome = await outcomeOf(cancelCall(world.deps, { viewer, callId: call.callId }));
  record(world, `player takes back call ${taken.indexOf(call) + 1}: ${outcome.text}`);
  if (outcome.done !== expected) {
    throw new Error(`taking a call back should have been ${expected ? "done" : "refused"}`);
  }
  if (!outcome.done) return;
  const { state } = await readCall(world, call);
  if (state !== "soft_destroyed") throw new Error(`a call that was taken back is ${state}`);
}

/** Until 5 s before the close; and once more, which changes nothing. */
async function mayCancel(world: World, call: AcceptedCall): Promise<boolean> {
  const { state, eventId } = await readCall(world, call);
  if (state !== "placed") return state === "soft_destroyed";
  const stand = (await readSnapshots(world)).find(({ event }) => event.id === eventId);
  if (stand === undefined || !acceptsCalls(stand, world.clock.nowMs())) return false;
  return (stand.event.closesAt?.getTime() ?? 0) - world.clock.nowMs() >= CANCEL_BEFORE_CLOSE_MS;
}

async function readCall({ deps }: World, { callId }: AcceptedCall) {
  return only(
    await deps.pool.db
      .select({ state: calls.state, eventId: calls.eventId })
      .from(calls)
      .where(eq(calls.id, callId)),
  );
}
