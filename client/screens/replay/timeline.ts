import type {
  ReplayAct,
  ReplayEvent,
  ReplayLeaders,
  ReplayPoolChange,
  ReplaySession,
  ReplayStep,
} from "#src/replays/schemas.ts";

/** What was wagered on an event. */
type ReplayPool = Omit<ReplayPoolChange, "eventId" | "round">;

export type ReplayedEvent = ReplayEvent & {
  pool: ReplayPool;
  /** When it was to open by the plan of the start; null if it was not planned then. */
  plannedAt: string | null;
  /** How often its result was corrected. */
  corrections: number;
};

export type ReplayState = {
  session: ReplaySession | null;
  /** In the running order. */
  events: readonly ReplayedEvent[];
  leaders: ReplayLeaders;
  /** The latest acts, newest first. */
  acts: readonly (ReplayAct & { at: string })[];
};

const ACTS_MAX = 8;

/** The state before the first step. */
const emptyReplay: ReplayState = {
  session: null,
  events: [],
  leaders: { leaders: [], totalCount: 0 },
  acts: [],
};

const emptyPool: ReplayPool = { trueCents: 0, trueCalls: 0, falseCents: 0, falseCalls: 0 };

function reduceReplay(state: ReplayState, step: ReplayStep): ReplayState {
  const changed = step.events.length === 0 ? state.events : withEvents(state.events, step.events);
  const pooled = step.pools.length === 0 ? changed : withPools(changed, step.pools);
  const starts = step.session?.startedAt != null && state.session?.startedAt == null;
  return {
    session: step.session ?? state.session,
    events: starts ? pooled.map((event) => ({ ...event, plannedAt: event.opensAt })) : pooled,
    leaders: step.leaders ?? state.leaders,
    acts:
      step.acts.length === 0
        ? state.acts
        : [...step.acts.map((act) => ({ ...act, at: step.at })).toReversed(), ...state.acts].slice(
            0,
            ACTS_MAX,
          ),
  };
}

function withEvents(known: readonly ReplayedEvent[], changes: readonly ReplayEvent[]): ReplayedEvent[] {
  const byId = new Map(known.map((event) => [event.id, event]));
  for (const event of changes) byId.set(event.id, nextEvent(byId.get(event.id), event));
  return [...byId.values()].toSorted((one, other) => one.position - other.position || one.id - other.id);
}

/** A new round begins with an empty pool. */
function nextEvent(before: ReplayedEvent | undefined, event: ReplayEvent): ReplayedEvent {
  if (before === undefined) return { ...event, pool: emptyPool, plannedAt: null, corrections: 0 };
  // What an event has not any more, it does not name.
  const { picture: _picture, explanation: _explanation, ...kept } = before;
  if (before.round !== event.round) return { ...kept, ...event, pool: emptyPool, corrections: 0 };
  const corrected = isCorrection(before, event);
  return { ...kept, ...event, corrections: before.corrections + (corrected ? 1 : 0) };
}

/** True where a result replaced another one. */
export function isCorrection(before: ReplayEvent, after: ReplayEvent): boolean {
  if (before.round !== after.round || before.result === null || after.result === null) return false;
  return before.result !== after.result || before.effectiveAt !== after.effectiveAt;
}

function withPools(known: readonly ReplayedEvent[], changes: readonly ReplayPoolChange[]): ReplayedEvent[] {
  const byId = new Map(changes.map((change) => [change.eventId, change]));
  return known.map((event) => {
    const change = byId.get(event.id);
    if (change === undefined || change.round !== event.round) return event;
    const { trueCents, trueCalls, falseCents, falseCalls } = change;
    return { ...event, pool: { trueCents, trueCalls, falseCents, falseCalls } };
  });
}

/** The steps of a session with their times in milliseconds, and the states between them. */
export type Timeline = {
  steps: readonly ReplayStep[];
  timesMs: readonly number[];
  /** The state at a moment, after all steps until then. */
  stateAt: (atMs: number) => ReplayState;
};

/** A state is kept after this many steps, so that a jump anywhere applies only few of them. */
const CHECKPOINT_EVERY = 64;

/** @param steps in the order of their times. */
export function createTimeline(steps: readonly ReplayStep[]): Timeline {
  const timesMs = steps.map(({ at }) => Date.parse(at));
  const checkpoints: ReplayState[] = [emptyReplay];
  const stateAfter = (count: number): ReplayState => {
    const index = Math.floor(count / CHECKPOINT_EVERY);
    while (checkpoints.length <= index) {
      const from = (checkpoints.length - 1) * CHECKPOINT_EVERY;
      const before = checkpoints.at(-1) ?? emptyReplay;
      checkpoints.push(steps.slice(from, from + CHECKPOINT_EVERY).reduce(reduceReplay, before));
    }
    const begin = checkpoints[index] ?? emptyReplay;
    return steps.slice(index * CHECKPOINT_EVERY, count).reduce(reduceReplay, begin);
  };
  return { steps, timesMs, stateAt: (atMs) => stateAfter(countUntil(timesMs, atMs)) };
}

/** How many of these ascending times are not after a moment. */
export function countUntil(timesMs: readonly number[], atMs: number): number {
  let [low, high] = [0, timesMs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timesMs[middle] ?? Infinity) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
