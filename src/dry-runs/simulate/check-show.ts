import { isDeepStrictEqual } from "node:util";
import { asc, eq, gt, inArray } from "drizzle-orm";
import * as v from "valibot";
import { listBookChecks } from "#db/ledger/list-book-checks.ts";
import { readWallets } from "#db/ledger/read-wallet.ts";
import type { CallState } from "#db/lists/calls.ts";
import type { EventState } from "#db/lists/events.ts";
import { calls } from "#db/schema/calls.ts";
import { spots } from "#db/schema/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import { sessions } from "#db/schema/sessions.ts";
import { type Fact, fact } from "#src/base/outbox/write-fact.ts";
import { activeCallStates } from "#src/play/calls/contract.ts";
import { winnerOf } from "#src/play/spots/contract.ts";
import { eventTransitions } from "#src/show/events/contract.ts";
import type { SharedInvariant } from "../contract.ts";
import { type EventSnapshot, nameOf, readSnapshots, type Show } from "./show.ts";

/** The timed transition of an event, by its state. */
const nextTransitionFrom: Record<string, string> = {
  draft: "publish_event",
  visible: "open_event",
  open: "close_event",
  closed: "resolve",
};

const isWaiting = ({ state, nextTransition, opensAt }: EventSnapshot["event"]) =>
  (state === "draft" || state === "visible") && nextTransition !== null && opensAt === null;

/** Where each invariant is violated, in words; an empty list where it holds. */
export type Violations<Name extends string = SharedInvariant> = Record<Name, string[]>;

export type ShowCall = typeof calls.$inferSelect & { side: "true" | "false" };

/** States from which an event may also be hidden: skipping hides from open and closed, stopping the session from draft. */
const ALSO_HIDDEN_FROM: readonly EventState[] = ["draft", "open", "closed"];

const isTransition = (name: string): name is keyof typeof eventTransitions =>
  Object.hasOwn(eventTransitions, name);

/** Checks the invariants of a show, which hold at every moment. */
export async function checkShow(show: Show): Promise<Violations> {
  const snapshots = await readSnapshots(show);
  const all = await listShowCalls(show);
  const both = Map.groupBy(await listSpots(show), ({ eventId }) => eventId);
  return {
    books: await checkBooks(show),
    wallets: await checkWallets(show, all),
    calls: checkCalls(show, all, snapshots),
    sides: snapshots.flatMap((each) => checkSpots(show, each, both.get(each.event.id) ?? [])),
    schedule: [
      ...snapshots.flatMap((each) => checkSchedule(show, each)),
      ...checkWaiting(show, snapshots),
      ...(await checkSessions(show)),
    ],
    facts: await checkFacts(show, snapshots, all),
  };
}

/** All calls on the show's events, in the order in which they were placed. */
export async function listShowCalls({ deps, eventIds }: Show): Promise<ShowCall[]> {
  const rows = await deps.pool.db
    .select({ call: calls, side: spots.side })
    .from(calls)
    .innerJoin(spots, eq(spots.id, calls.spotId))
    .where(inArray(calls.eventId, eventIds))
    .orderBy(asc(calls.id));
  return rows.map(({ call, side }) => ({ ...call, side }));
}

function listSpots({ deps, eventIds }: Show) {
  return deps.pool.db.select().from(spots).where(inArray(spots.eventId, eventIds)).orderBy(asc(spots.id));
}

async function checkBooks({ deps }: Show): Promise<string[]> {
  const checks = await listBookChecks(deps.pool.db);
  return checks.flatMap(({ name, bad }) => (bad === 0 ? [] : [`${name}: ${bad}`])).toSorted();
}

/** Money only moves between players: each has the granted amount plus the net of the player's own calls. */
async function checkWallets({ deps, grantedCents }: Show, all: readonly ShowCall[]): Promise<string[]> {
  const players = [...grantedCents.keys()];
  const wallets = await readWallets(deps.pool.db, players);
  const byPlayer = Map.groupBy(all, ({ userId }) => userId);
  return [
    ...differ("the number of wallets", wallets.length, grantedCents.size),
    ...wallets.flatMap(({ userId, postedCents, heldCents, availableCents, owedCents }) => {
      const own = byPlayer.get(userId) ?? [];
      const netCents = sum(
        own.map(({ payoutCents, wagerCents }) => (payoutCents === null ? 0 : payoutCents - wagerCents)),
      );
      const atStake = own.filter(({ state }) => activeCallStates.includes(state));
      return differ(
        `the wallet of player ${players.indexOf(userId) + 1}`,
        {
          balanceCents: postedCents - owedCents,
          heldCents,
          isNegative: Math.min(postedCents, heldCents, availableCents, owedCents) < 0,
        },
        {
          balanceCents: (grantedCents.get(userId) ?? 0) + netCents,
          heldCents: sum(atStake.map(({ wagerCents }) => wagerCents)),
          isNegative: false,
        },
      );
    }),
  ];
}

/** Every accepted call exists, no other does, and each call's state fits its event's. */
function checkCalls(show: Show, all: readonly ShowCall[], snapshots: readonly EventSnapshot[]): string[] {
  const events = new Map(snapshots.map(({ event }) => [event.id, event]));
  const areAll =
    all.length === show.calls.length && all.every(({ id }, index) => id === show.calls[index]?.callId);
  return [
    ...(areAll ? [] : [`${show.calls.length} calls were accepted, and there are ${all.length}, or others`]),
    ...all.flatMap(({ eventId, round, state }, index) => {
      const event = events.get(eventId);
      if (event === undefined || state === "soft_destroyed") return [];
      // An earlier round only has calls that were settled or cancelled.
      const expected: CallState = round < event.round ? "resolved" : callStateIn(event);
      return differ(
        `call ${index + 1} on ${nameOf(show, eventId)}, which is ${event.state}`,
        state,
        expected,
      );
    }),
  ];
}

function callStateIn({ state, result }: EventSnapshot["event"]): CallState {
  if (result !== null) return "resolved";
  return state === "open" ? "placed" : "closed";
}

async function checkSessions({ deps, sessionIds }: Show): Promise<string[]> {
  const rows = await deps.pool.db
    .select()
    .from(sessions)
    .where(inArray(sessions.id, [...sessionIds]))
    .orderBy(asc(sessions.id));
  return [
    ...(rows.filter(({ active }) => active).length > 1 ? ["more than one session is active"] : []),
    ...rows.flatMap(({ active, state, pausedAt, stoppedAt }) =>
      differ(
        "the session",
        { paused: pausedAt !== null, stopped: stoppedAt !== null, active: active && state === "stopped" },
        { paused: state === "paused", stopped: state === "stopped", active: false },
      ),
    ),
  ];
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

type Named = Pick<Show, "eventIds">;

/** Where an event's next transition does not fit its state, its session and its planned moments. */
function checkSchedule(show: Named, { event, session }: EventSnapshot): string[] {
  const name = nameOf(show, event.id);
  const { state, nextTransition, dueAt, remainingMs } = event;
  const isPlanned = nextTransition !== null;
  const isPaused = session.state === "paused";
  const waits = isWaiting(event);
  const isLive = session.state === "running" || isPaused;
  return [
    // In a paused session a planned transition has remaining time; otherwise it has a due moment. One that waits has neither.
    ...differ(
      `the time of ${name}, which is ${state}`,
      { due: dueAt !== null, remains: remainingMs !== null },
      { due: isPlanned && !waits && !isPaused, remains: isPlanned && !waits && isPaused },
    ),
    ...(isPlanned ? differ(`the next of ${name}`, nextTransition, nextTransitionFrom[state]) : []),
    ...(state === "open" ? differ(`the next of ${name}`, nextTransition, "close_event") : []),
    ...(state === "open" ? differ(`${name} is open, its session live`, isLive, true) : []),
    ...(event.pendingResult === null
      ? []
      : differ(`${name} has a pending result`, [state, nextTransition], ["closed", "resolve"])),
    ...(event.result === null
      ? []
      : differ(
          `${name} is ${state} with a result`,
          ["resolved", "hidden", "soft_destroyed"].includes(state),
          true,
        )),
    ...checkMoments(name, event),
  ];
}

/** Opening and closing are due exactly at the moments by which calls are judged. */
function checkMoments(
  name: string,
  { nextTransition, dueAt, opensAt, closesAt }: EventSnapshot["event"],
): string[] {
  if (dueAt === null) return [];
  if (nextTransition === "open_event") return differ(`the opening of ${name} is due`, dueAt, opensAt);
  if (nextTransition === "close_event") return differ(`the close of ${name} is due`, dueAt, closesAt);
  return [];
}

/** The events without a time that wait for something that has happened already. */
function checkWaiting(show: Named, snapshots: readonly EventSnapshot[]): string[] {
  return [...Map.groupBy(snapshots, ({ session }) => session.id).values()].flatMap((ofSession) => {
    const order = ofSession
      .map(({ event }) => event)
      .filter(({ state }) => state !== "hidden" && state !== "soft_destroyed")
      .toSorted((one, other) => one.position - other.position || one.id - other.id);
    return order.flatMap((event, index) =>
      isWaiting(event) && !hasReason(event, order[index - 1])
        ? [`${nameOf(show, event.id)} waits for something that has happened`]
        : [],
    );
  });
}

/** Whether an event that waits still has something to wait for. */
function hasReason(event: EventSnapshot["event"], before: EventSnapshot["event"] | undefined): boolean {
  const hasResult = before === undefined || before.state === "resolved";
  const hasTimes = before?.nextTransition !== null && before?.opensAt !== null;
  const isOver = hasResult || before.state === "closed";
  return (event.startMode === "after_result" && !hasResult) || !(isOver || hasTimes);
}

/** The spots whose state, or whose win, is not that of their event. */
function checkSpots(
  show: Named,
  { event }: EventSnapshot,
  both: readonly (typeof spots.$inferSelect)[],
): string[] {
  const { state, result } = event;
  return both.flatMap((spot) => {
    const expected = state === "open" || state === "soft_destroyed" ? state : "closed";
    const winner = result === null ? null : winnerOf[result];
    const won = winner === null ? null : winner === spot.side;
    return differ(
      `the ${spot.side} side of ${nameOf(show, event.id)}, which is ${state}`,
      { spot: spot.state, won: spot.won },
      { spot: expected, won },
    );
  });
}

/** Where the facts of the outbox, applied in order by the transition table, do not lead an event to its state. */
async function checkFacts(
  show: Show,
  snapshots: readonly EventSnapshot[],
  calls: readonly { id: number }[],
): Promise<string[]> {
  const facts = await listFacts(show);
  const placed = facts.flatMap((each) => (each.kind === "calls_placed" ? each.callIds : []));
  const ordered = placed.toSorted((one, other) => one - other);
  return [
    ...snapshots.flatMap(({ event }) =>
      checkChanges(nameOf(show, event.id), event.state, changesOf(facts, event)),
    ),
    ...(ordered.length === calls.length && ordered.every((id, index) => id === calls[index]?.id)
      ? []
      : [`the outbox has ${ordered.length} placed calls, and there are ${calls.length}, or others`]),
  ];
}

function changesOf(facts: readonly Fact[], { id }: { id: number }): string[] {
  return facts.flatMap((each) => (each.kind === "event_changed" && each.eventId === id ? [each.change] : []));
}

/** The changes of a draft, applied one after the other. */
function checkChanges(name: string, actual: EventState, changes: readonly string[]): string[] {
  let state: EventState = "draft";
  let resolved = false;
  for (const change of changes) {
    if (change === "update" || change === "pay") continue;
    if (!isTransition(change)) return [`${name}: ${change} is not a transition`];
    const { from, to }: { from: readonly EventState[]; to: EventState } = eventTransitions[change];
    const allowed = from.includes(state) || (change === "hide" && ALSO_HIDDEN_FROM.includes(state));
    if (!allowed) return [`${name}: the outbox has ${change} from ${state}`];
    if (change === "resolve") resolved = true;
    if (change === "reset") resolved = false;
    state = change === "show" && resolved ? "resolved" : to;
  }
  return differ(`${name} by its facts (${changes.join(", ")})`, actual, state);
}

async function listFacts({ deps, lastFactId }: Show): Promise<Fact[]> {
  const rows = await deps.pool.db
    .select({ kind: outbox.kind, payload: outbox.payload })
    .from(outbox)
    .where(gt(outbox.id, lastFactId))
    .orderBy(asc(outbox.id));
  return rows.map(({ kind, payload }) => v.parse(fact, { kind, ...v.parse(v.looseObject({}), payload) }));
}

/** Compares. @returns one sentence if the values differ, else none. */
export function differ(what: string, actual: unknown, expected: unknown): string[] {
  if (isDeepStrictEqual(actual, expected)) return [];
  return [`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`];
}
