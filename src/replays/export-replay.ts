import { csvHeader, csvLine } from "#src/base/csv.ts";
import { dollarsOf } from "#src/http/money.ts";
import { streamText } from "#src/http/stream-text.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { findTeamNumbers } from "#src/play/teams/find-teams.ts";
import { emptyReplay, type ReplayState, type ReplayStep } from "./contract.ts";
import { deriveHistory, type DerivedHistory } from "./derive-history.ts";
import { listChanges, type ReplayChange } from "./list-changes.ts";
import { readSteps, type StepsDeps } from "./read-steps.ts";
import { requireReplay } from "./require-replay.ts";
import type { ExportQuery } from "./schemas.ts";
import { findNames } from "./show-replay.ts";

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
  return new Response(streamText(parts), {
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
