import type { Deps } from "#src/base/deps.ts";
import { findTeamNumbers } from "#src/play/teams/find-teams.ts";
import { publishedStates } from "#src/show/events/contract.ts";
import type { ReplayEvent, ReplayStep } from "./contract.ts";
import type { DerivedHistory } from "./derive-history.ts";
import { LeadersFold } from "./fold-leaders.ts";
import { readActs } from "./read-acts.ts";
import { type EventDetail, type LogEntry, type LogStep, readEntries } from "./read-entries.ts";
import { readNotRanked } from "./read-not-ranked.ts";
import { readPools } from "./read-pools.ts";

export type StepsDeps = Pick<Deps, "pool" | "env">;
export type StepsOf = {
  sessionId: number;
  /** For admins: with drafts, hidden events and what people did. */
  full: boolean;
  derived: DerivedHistory | null;
};

/** A step before it is written for the answer. */
type TimedStep = { atMs: number; step: ReplayStep };

/**
 * All steps of a session in the order of their times, from its log (before there was one, from `derived`), its calls and, for
 * admins, its audit. A step in which viewers could see no change is left out.
 */
export async function* readSteps(deps: StepsDeps, of: StepsOf): AsyncGenerator<ReplayStep> {
  const { sessionId, full, derived } = of;
  const { db } = deps.pool;
  const { rankGuests } = deps.env;
  const teams = await findTeamNumbers(db, sessionId);
  const fold = new LeadersFold(await readNotRanked(db, sessionId), { rankGuests, teams });
  const others = merge(
    (await readPools(db, sessionId)).map(({ atMs, pools }) => timed(atMs, { pools })),
    full ? (await readActs(db, sessionId)).map(({ atMs, act }) => timed(atMs, { acts: [act] })) : [],
  );
  const shown = new Map<number, ReplayEvent>();
  let next = 0;
  for await (const { atMs, entries } of inOrder(derived, readEntries(db, sessionId))) {
    for (; (others[next]?.atMs ?? Infinity) < atMs; next += 1) yield* stepOf(others[next]);
    const step = presentEntries(entries, { full, shown, fold });
    if (step !== null) yield timed(atMs, step).step;
  }
  for (const { step } of others.slice(next)) yield step;
}

function* stepOf(timedStep: TimedStep | undefined): Generator<ReplayStep> {
  if (timedStep !== undefined) yield timedStep.step;
}

async function* inOrder(
  derived: DerivedHistory | null,
  logged: AsyncGenerator<LogStep>,
): AsyncGenerator<LogStep> {
  yield* derived?.steps ?? [];
  yield* logged;
}

function timed(atMs: number, change: Partial<ReplayStep>): TimedStep {
  const at = new Date(atMs).toISOString();
  return { atMs, step: { at, session: null, events: [], pools: [], leaders: null, acts: [], ...change } };
}

function merge(one: readonly TimedStep[], other: readonly TimedStep[]): TimedStep[] {
  return [...one, ...other].toSorted((first, second) => first.atMs - second.atMs);
}

type Seen = { full: boolean; shown: Map<number, ReplayEvent>; fold: LeadersFold };

function presentEntries(
  entries: readonly LogEntry[],
  { full, shown, fold }: Seen,
): Pick<ReplayStep, "session" | "events" | "leaders"> | null {
  const session = entries.findLast((entry) => entry.kind === "session")?.detail ?? null;
  // What an event was in between nobody has seen: a stop takes its drafts through visible to hidden.
  const after = new Map(
    entries.flatMap((entry) => (entry.kind === "event" ? [[entry.subjectId, entry] as const] : [])),
  );
  const changed = new Map<number, ReplayEvent>();
  for (const entry of after.values()) {
    const event = presentEvent(entry, { full, before: shown.get(entry.subjectId) });
    if (event === null) continue;
    shown.set(event.id, event);
    changed.set(event.id, event);
  }
  const leaders = fold.apply(entries);
  if (session === null && changed.size === 0 && leaders === null) return null;
  return { session, events: [...changed.values()], leaders };
}

/** @returns null for an event that viewers have not seen yet, or that a player still cannot see. */
function presentEvent(
  { subjectId: id, detail }: { subjectId: number; detail: EventDetail | null },
  { full, before }: { full: boolean; before: ReplayEvent | undefined },
): ReplayEvent | null {
  const visible = detail !== null && isShown(detail, full);
  if (!visible) return before === undefined || !before.shown ? null : { ...before, shown: false };
  const { publishedAt: _publishedAt, ...rest } = detail;
  return { id, shown: true, ...rest };
}

function isShown({ state }: EventDetail, full: boolean): boolean {
  return full ? state !== "soft_destroyed" : publishedStates.includes(state);
}
