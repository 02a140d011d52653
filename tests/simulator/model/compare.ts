import { expect } from "bun:test";
import { asc, eq, inArray } from "drizzle-orm";
import { readWallets } from "#db/ledger/read-wallet.ts";
import { calls } from "#db/schema/calls.ts";
import { spots } from "#db/schema/events.ts";
import { payDecided } from "#src/dry-runs/simulate/play-show.ts";
import { readSnapshots, type EventSnapshot } from "#src/dry-runs/simulate/show.ts";
import type { World } from "../world.ts";
import { availableCents, isLive, type Model, type ModelEvent, showMs, type Step } from "./model.ts";

/** Expects the product, with all results paid, to be in the model's state: session, events with their timed transitions, calls and wallets. */
export async function compareWithProduct(model: Model, world: World): Promise<void> {
  await payDecided(world);
  expect(await readProduct(world)).toEqual(readModel(model));
}

function readModel(model: Model) {
  return {
    session: { state: model.session, active: model.active },
    events: model.events.map((event) => ({
      state: event.state,
      round: event.round,
      result: event.result,
      pending: event.pending,
      ...timesOf(model, event),
    })),
    calls: model.calls.map(({ event, player, side, cents, round, state, payoutCents }) => {
      return `player ${player}, event ${event}.${round}, ${side}, ${cents}: ${state}, ${payoutCents}`;
    }),
    wallets: model.wallets.map(({ postedCents, owedCents }, player) => {
      return { postedCents, owedCents, availableCents: availableCents(model, player) };
    }),
  };
}

/** Milliseconds until the next timed transition, until the close of an open event, and until a planned opening. */
function timesOf(model: Model, event: ModelEvent) {
  const leftMs = (moment: number | null) => (moment === null ? null : moment - showMs(model));
  return {
    next: event.next === null ? null : { step: event.next.step, leftMs: leftMs(event.next.atMs) },
    closesInMs: event.state === "open" ? leftMs(event.closesMs) : null,
    opensInMs: event.state === "visible" && isLive(model) ? inFuture(leftMs(event.opensMs)) : null,
  };
}

/** Null for a moment in the past, which is no longer a plan. */
const inFuture = (leftMs: number | null) => (leftMs !== null && leftMs > 0 ? leftMs : null);

async function readProduct(world: World) {
  const snapshots = await readSnapshots(world);
  const players = [...world.grantedCents.keys()];
  const wallets = await readWallets(world.deps.pool.db, players);
  return {
    session: { state: snapshots[0]?.session.state ?? "none", active: snapshots[0]?.session.active ?? false },
    events: snapshots.map((snapshot) => readEvent(snapshot, world.clock.nowMs())),
    calls: await readCalls(world, players),
    wallets: wallets.map(({ postedCents, owedCents, availableCents: available }) => {
      return { postedCents, owedCents, availableCents: available };
    }),
  };
}

const steps: Record<NonNullable<EventSnapshot["event"]["nextTransition"]>, Step> = {
  publish_event: "publish",
  open_event: "open",
  close_event: "close",
  resolve: "resolve",
};

function readEvent({ event, session }: EventSnapshot, nowMs: number) {
  const { state, round, result, nextTransition, dueAt, remainingMs } = event;
  const showNowMs = session.pausedAt?.getTime() ?? nowMs;
  const leftMs = (moment: Date | null) => (moment === null ? null : moment.getTime() - showNowMs);
  const live = session.state === "running" || session.state === "paused";
  return {
    state: state === "soft_destroyed" ? ("destroyed" as const) : state,
    round,
    result,
    pending: event.pendingResult,
    next:
      nextTransition === null ? null : { step: steps[nextTransition], leftMs: remainingMs ?? leftMs(dueAt) },
    closesInMs: state === "open" ? leftMs(event.closesAt) : null,
    opensInMs: state === "visible" && live ? inFuture(leftMs(event.opensAt)) : null,
  };
}

async function readCalls({ deps, eventIds }: World, players: readonly number[]): Promise<string[]> {
  const rows = await deps.pool.db
    .select({ call: calls, side: spots.side })
    .from(calls)
    .innerJoin(spots, eq(spots.id, calls.spotId))
    .where(inArray(calls.eventId, eventIds))
    .orderBy(asc(calls.id));
  return rows.map(({ call, side }) => {
    const { eventId, userId, round, wagerCents, payoutCents } = call;
    const state = call.state === "soft_destroyed" ? "destroyed" : call.state;
    const event = eventIds.indexOf(eventId);
    return `player ${players.indexOf(userId)}, event ${event}.${round}, ${side}, ${wagerCents}: ${state}, ${payoutCents}`;
  });
}
