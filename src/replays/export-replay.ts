import { csvHeader, csvLine } from "#src/base/csv.ts";
import { dollarsOf } from "#src/http/money.ts";
import { streamParts } from "#src/http/stream-parts.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { findTeamNumbers } from "#src/play/teams/find-teams.ts";
import { emptyReplay, reduceReplay, type ReplayState, type ReplayStep } from "./contract.ts";
import { type DerivedHistory, deriveHistory } from "./derive-history.ts";
import { readSteps, type StepsDeps } from "./read-steps.ts";
import { requireReplay } from "./require-replay.ts";
import type { ExportQuery } from "./schemas.ts";
import { findNames } from "./show-replay.ts";

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

const SECOND_MS = 1_000;

/** Steps of a batch, whose names are looked up together. */
const BATCH_STEPS = 200;

type Exported = {
  sessionId: number;
  slug: string;
  name: string;
  full: boolean;
  derived: DerivedHistory | null;
};

/**
 * Streams a replay as a file: each change of the session, its events with their pools, and the leaderboard, in order. JSON is one
 * document. Texts in a CSV file cannot run as formulas.
 * @throws Refusal 404 for viewers who may not see it.
 */
export async function exportReplay(
  deps: StepsDeps,
  { slugOrId, viewer, query: { format } }: { slugOrId: string; viewer: Viewer; query: ExportQuery },
): Promise<Response> {
  const { session, full } = await requireReplay(deps.pool.db, viewer, slugOrId);
  const { id: sessionId, slug, name } = session;
  const derived = await deriveHistory(deps.pool.db, sessionId);
  const exported = { sessionId, slug, name, full, derived };
  const parts = format === "csv" ? writeCsv(deps, exported) : writeJson(deps, exported);
  const type =
    format === "csv" ? "text/csv; charset=utf-8; header=present" : "application/json; charset=utf-8";
  return new Response(streamParts(parts), {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="called-it-replay-${slug}.${format}"`,
      "cache-control": "private, no-store",
    },
  });
}

async function* writeCsv(deps: StepsDeps, exported: Exported): AsyncGenerator<string> {
  yield csvHeader(columns.map(([name]) => name));
  for await (const changes of readChanges(deps, exported)) {
    yield changes.map((change) => csvLine(columns.map(([, cell]) => cell(change)))).join("");
  }
}

/** Keys in snake_case, like all answers of the API over HTTP. */
async function* writeJson(deps: StepsDeps, exported: Exported): AsyncGenerator<string> {
  const { slug, name, derived } = exported;
  const until = derived?.untilMs ?? null;
  const head = {
    session: { slug, name },
    complete: derived === null,
    derived_until: until === null ? null : new Date(until).toISOString(),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"changes":[`;
  let separator = "\n";
  for await (const changes of readChanges(deps, exported)) {
    const lines = changes.map((change) =>
      JSON.stringify(Object.fromEntries(columns.map(([key, cell]) => [key, cell(change)]))),
    );
    if (lines.length > 0) yield separator + lines.join(",\n");
    if (lines.length > 0) separator = ",\n";
  }
  yield "\n]}\n";
}

async function* readChanges(deps: StepsDeps, exported: Exported): AsyncGenerator<ReplayChange[]> {
  const { db } = deps.pool;
  const { names: teams, numberOf } = await findTeamNumbers(db, exported.sessionId);
  const teamOf = (userId: number) => teams[(numberOf.get(userId) ?? 0) - 1] ?? null;
  let state: ReplayState = emptyReplay;
  for await (const steps of inBatches(readSteps(deps, exported))) {
    const names = new Map((await findNames(db, steps)).map(({ id, username }) => [id, username]));
    const lines = listChanges(steps, { nameOf: (userId) => names.get(userId) ?? "", teamOf }, state);
    const changes: ReplayChange[] = [];
    let line = lines.next();
    for (; line.done !== true; line = lines.next()) changes.push(line.value);
    state = line.value;
    yield changes;
  }
}

async function* inBatches(steps: AsyncGenerator<ReplayStep>): AsyncGenerator<ReplayStep[]> {
  let batch: ReplayStep[] = [];
  for await (const step of steps) {
    batch.push(step);
    if (batch.length < BATCH_STEPS) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

const inDollars = (cents: number | null) => (cents === null ? null : dollarsOf(cents));

const columns: readonly [name: string, cell: (change: ReplayChange) => string | number | null][] = [
  ["at", ({ at }) => at],
  ["second", ({ second }) => second],
  ["kind", ({ kind }) => kind],
  ["session_state", ({ sessionState }) => sessionState],
  ["event_id", ({ eventId }) => eventId],
  ["position", ({ position }) => position],
  ["question", ({ question }) => question],
  ["true_label", ({ trueLabel }) => trueLabel],
  ["false_label", ({ falseLabel }) => falseLabel],
  ["state", ({ state }) => state],
  ["result", ({ result }) => result],
  ["true_calls", ({ trueCalls }) => trueCalls],
  ["false_calls", ({ falseCalls }) => falseCalls],
  ["true_pool", ({ trueCents }) => inDollars(trueCents)],
  ["false_pool", ({ falseCents }) => inDollars(falseCents)],
  ["rank", ({ rank }) => rank],
  ["player", ({ player }) => player],
  ["wins", ({ wins }) => wins],
  ["losses", ({ losses }) => losses],
  ["net", ({ netCents }) => inDollars(netCents)],
  ["team", ({ team }) => team],
];

/** A line of an export: what became visible of one subject at one moment. */
type ReplayChange = {
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

/**
 * Lists what a replay shows, line by line: for each step the session, the events and the leaderboard that it has changed, as they
 * are after it. The states come from the reducer of the page.
 */
function* listChanges(
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

function secondsSince(startedAt: string | null, at: string): number | null {
  if (startedAt === null || Date.parse(at) < Date.parse(startedAt)) return null;
  return Math.ceil((Date.parse(at) - Date.parse(startedAt)) / SECOND_MS);
}
