import { csvHeader, csvLine } from "#src/base/csv.ts";
import { download } from "#src/http/download.ts";
import { dollarsOf } from "#src/http/money.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { findTeamNumbers } from "#src/play/teams/find-teams.ts";
import { site } from "#src/settings/contract.ts";
import { readSteps, type StepsDeps, type StepsOf } from "./read-steps.ts";
import type { ExportQuery, ReplayEvent, ReplayPoolChange, ReplaySession, ReplayStep } from "./schemas.ts";
import { findNames, requireReplay } from "./show-replay.ts";

/** Steps of a batch, whose names are looked up together. */
const BATCH_STEPS = 200;

/** The fields of a line: what became visible of one subject at one moment. Keys in snake_case, like all answers of the API over HTTP. */
const columns = [
  "at",
  /** Whole seconds since the session's start, rounded up; null before it. */
  "second",
  /** `session`, `event` or `leader`. */
  "kind",
  "session_state",
  "event_id",
  "position",
  "question",
  "true_label",
  "false_label",
  "state",
  "result",
  "true_calls",
  "false_calls",
  "true_pool",
  "false_pool",
  "rank",
  "player",
  "wins",
  "losses",
  "net",
  /** The name of the player's team; null without one. */
  "team",
] as const;
type Line = Partial<Record<(typeof columns)[number], string | number | null>>;

type Exported = StepsOf & { slug: string; name: string };

/**
 * Streams a replay as a file: each change of the session, its events with their pools, and the leaderboard, in order. JSON is one
 * document. Texts in a CSV file cannot run as formulas.
 */
export async function exportReplay(
  deps: StepsDeps,
  { slugOrId, viewer, query: { format } }: { slugOrId: string; viewer: Viewer; query: ExportQuery },
): Promise<Response> {
  const { session, full } = await requireReplay(deps.pool.db, viewer, slugOrId);
  const { id: sessionId, slug, name } = session;
  const exported = { sessionId, slug, name, full };
  const parts = format === "csv" ? writeCsv(deps, exported) : writeJson(deps, exported);
  return download(parts, `${site().slug}-replay-${slug}.${format}`);
}

async function* writeCsv(deps: StepsDeps, exported: Exported): AsyncGenerator<string> {
  yield csvHeader(columns);
  for await (const lines of readLines(deps, exported))
    yield lines.map((line) => csvLine(columns.map((name) => line[name] ?? null))).join("");
}

async function* writeJson(deps: StepsDeps, exported: Exported): AsyncGenerator<string> {
  const { slug, name } = exported;
  const head = { session: { slug, name }, complete: true, derived_until: null };
  yield `${JSON.stringify(head).slice(0, -1)},"changes":[`;
  let separator = "\n";
  for await (const lines of readLines(deps, exported)) {
    const rows = lines.map((line) =>
      JSON.stringify(Object.fromEntries(columns.map((column) => [column, line[column] ?? null]))),
    );
    if (rows.length > 0) yield separator + rows.join(",\n");
    if (rows.length > 0) separator = ",\n";
  }
  yield "\n]}\n";
}

async function* readLines(deps: StepsDeps, exported: Exported): AsyncGenerator<Line[]> {
  const { db } = deps.pool;
  const { names: teams, numberOf } = await findTeamNumbers(db, exported.sessionId);
  const known: Known = { session: null, events: new Map(), pools: new Map() };
  for await (const steps of inBatches(readSteps(deps, exported))) {
    const names = new Map((await findNames(db, steps)).map(({ id, username }) => [id, username]));
    const playerOf = (userId: number) => ({
      player: names.get(userId) ?? "",
      team: teams[(numberOf.get(userId) ?? 0) - 1] ?? null,
    });
    yield steps.flatMap((step) => [...linesOf(step, known, playerOf)]);
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

/** What the steps so far have shown: the events by id, the pools by event and round. */
type Known = {
  session: ReplaySession | null;
  events: Map<number, ReplayEvent>;
  pools: Map<string, ReplayPoolChange>;
};

const poolKey = (eventId: number, round: number) => `${eventId} ${round}`;
const noPool = { trueCents: 0, trueCalls: 0, falseCents: 0, falseCalls: 0 };

/** Of a step the session, the events in their order and the leaderboard that it has changed, as they are after it. */
function* linesOf(
  step: ReplayStep,
  known: Known,
  playerOf: (userId: number) => Pick<Line, "player" | "team">,
): Generator<Line> {
  known.session = step.session ?? known.session;
  for (const event of step.events) known.events.set(event.id, event);
  for (const pool of step.pools) known.pools.set(poolKey(pool.eventId, pool.round), pool);
  const { startedAt = null, state: session_state = null } = known.session ?? {};
  const common = { at: step.at, second: secondsSince(startedAt, step.at), session_state };
  if (step.session !== null) yield { ...common, kind: "session" };
  const changed = new Set([...step.events.map(({ id }) => id), ...step.pools.map(({ eventId }) => eventId)]);
  const events = [...changed].flatMap((id) => known.events.get(id) ?? []);
  for (const event of events.toSorted((one, other) => one.position - other.position || one.id - other.id))
    yield { ...common, ...lineOfEvent(event, known) };
  for (const { userId, rank, wins, losses, netCents } of step.leaders?.leaders ?? [])
    yield { ...common, kind: "leader", rank, ...playerOf(userId), wins, losses, net: dollarsOf(netCents) };
}

function lineOfEvent(event: ReplayEvent, { pools }: Known): Line {
  const pool = pools.get(poolKey(event.id, event.round)) ?? noPool;
  return {
    kind: "event",
    event_id: event.id,
    position: event.position,
    question: event.title,
    true_label: event.trueLabel,
    false_label: event.falseLabel,
    state: event.shown ? event.state : "removed",
    result: event.result,
    true_calls: pool.trueCalls,
    false_calls: pool.falseCalls,
    true_pool: dollarsOf(pool.trueCents),
    false_pool: dollarsOf(pool.falseCents),
  };
}

function secondsSince(startedAt: string | null, at: string): number | null {
  if (startedAt === null || Date.parse(at) < Date.parse(startedAt)) return null;
  return Math.ceil((Date.parse(at) - Date.parse(startedAt)) / 1_000);
}
