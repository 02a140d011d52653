import { emptyReplay, reduceReplay, type ReplayState, type ReplayStep } from "./contract.ts";

/** A line of an export: what became visible of one subject at one moment. */
export type ReplayChange = {
  at: string;
  /** Whole seconds since the session's start, rounded up; null before it. */
  second: number | null;
  kind: "session" | "event" | "leader";
  sessionState: string | null;
  eventId: number | null;
  position: number | null;
  question: string | null;
  trueLabel: string | null;
  falseLabel: string | null;
  state: string | null;
  result: string | null;
  trueCalls: number | null;
  falseCalls: number | null;
  trueCents: number | null;
  falseCents: number | null;
  rank: number | null;
  player: string | null;
  /** The name of the player's team; null without one. */
  team: string | null;
  wins: number | null;
  losses: number | null;
  netCents: number | null;
};

/** The name of a player, and of the player's team, null without one. */
type Names = { nameOf: (userId: number) => string; teamOf: (userId: number) => string | null };

const nothing = {
  eventId: null,
  position: null,
  question: null,
  trueLabel: null,
  falseLabel: null,
  state: null,
  result: null,
  trueCalls: null,
  falseCalls: null,
  trueCents: null,
  falseCents: null,
  rank: null,
  player: null,
  team: null,
  wins: null,
  losses: null,
  netCents: null,
} as const;

/**
 * Lists what a replay shows, line by line: for each step the session, the events and the leaderboard that it has changed, as they
 * are after it. The states come from the reducer of the page.
 */
export function* listChanges(
  steps: Iterable<ReplayStep>,
  names: Names,
  begin: ReplayState = emptyReplay,
): Generator<ReplayChange, ReplayState> {
  let state = begin;
  for (const step of steps) {
    state = reduceReplay(state, step);
    yield* changesOf(step, state, names);
  }
  return state;
}

function* changesOf(
  step: ReplayStep,
  { session, events, leaders }: ReplayState,
  { nameOf, teamOf }: Names,
): Generator<ReplayChange> {
  const common = {
    ...nothing,
    at: step.at,
    second: secondsSince(session?.startedAt ?? null, step.at),
    sessionState: session?.state ?? null,
  };
  if (step.session !== null) yield { ...common, kind: "session" };
  const changed = new Set([...step.events.map(({ id }) => id), ...step.pools.map(({ eventId }) => eventId)]);
  for (const event of events) {
    if (!changed.has(event.id)) continue;
    const { id: eventId, position, title: question, trueLabel, falseLabel, result, pool, shown } = event;
    const state = shown ? event.state : "removed";
    yield {
      ...common,
      kind: "event",
      eventId,
      position,
      question,
      trueLabel,
      falseLabel,
      state,
      result,
      ...pool,
    };
  }
  if (step.leaders === null) return;
  for (const { userId, rank, wins, losses, netCents } of leaders.leaders)
    yield {
      ...common,
      kind: "leader",
      rank,
      player: nameOf(userId),
      team: teamOf(userId),
      wins,
      losses,
      netCents,
    };
}

const SECOND_MS = 1_000;

function secondsSince(startedAt: string | null, at: string): number | null {
  if (startedAt === null || Date.parse(at) < Date.parse(startedAt)) return null;
  return Math.ceil((Date.parse(at) - Date.parse(startedAt)) / SECOND_MS);
}
