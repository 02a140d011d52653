import { once } from "node:events";
import { and, asc, count, eq, inArray, ne, or, sql } from "drizzle-orm";
import { inTransaction, type Queryable } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { REHEARSAL_LEAD_SECONDS, rehearsalBlueprint } from "#db/seeds/blueprints.ts";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import { activateSession } from "#src/show/sessions/activate-session.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import type { SessionCommand } from "#src/show/sessions/with-session.ts";
import { Robots } from "./robots.ts";
import { findBlueprintId } from "./seed-blueprints.ts";

const STEP_EVERY_MS = 1_000;

/** An advisory lock: of several workers only one makes the next move. */
const REHEARSAL_LOCK = 7702;
/** How long the last result stays on the screen. */
const RESULT_SHOWN_SECONDS = 8;

/**
 * Plays rehearsals with robots, one after the other, with two small queries a second. Any number of workers may do so at the
 * same time. A step that fails is logged; the next one follows as usual.
 */
export function startDemo(deps: Deps): { stop: () => Promise<void> } {
  const robots = new Robots(deps);
  const stopping = new AbortController();
  const stopped = once(stopping.signal, "abort");
  const playing = (async () => {
    while (!stopping.signal.aborted) {
      await step(deps, robots);
      await Promise.race([stopped, Bun.sleep(STEP_EVERY_MS)]);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await playing;
      await robots.stop();
    },
  };
}

async function step(deps: Deps, robots: Robots): Promise<void> {
  try {
    await stepRehearsal(deps);
    await robots.planNewEvents();
  } catch (error) {
    // Another worker or an admin was faster. The next step sees the new state.
    if (error instanceof Refusal) deps.log.debug({ err: error }, "a step of the rehearsal was refused");
    else deps.log.warn({ err: error }, "a step of the rehearsal failed");
  }
}

/** A rehearsal that is not stopped. */
export type Rehearsal = {
  id: number;
  state: "pending" | "running" | "paused" | "stopped";
  active: boolean;
  /** Some of its events are not resolved yet. */
  unfinished: boolean;
  /** Its last result has been visible for long enough. */
  resultShown: boolean;
};

type RehearsalMove =
  | { kind: "begin" }
  | { kind: "start" | "stop" | "activate"; sessionId: number }
  | { kind: "wait" };

/**
 * Chooses the next move, so that exactly one rehearsal plays. If several play, the oldest is stopped. One that is over is
 * stopped, and the next one begins. A rehearsal becomes the active session when it starts, and again when no session is
 * active; it never replaces another active session. A paused one stays paused until it is resumed.
 * @param rehearsals the ones that are not stopped, oldest first.
 */
export function chooseMove(rehearsals: readonly Rehearsal[], others: { active: boolean }): RehearsalMove {
  const playing = rehearsals.filter(({ state }) => state === "running" || state === "paused");
  const [oldest] = playing;
  if (oldest === undefined) {
    const waiting = rehearsals.at(-1);
    return waiting === undefined ? { kind: "begin" } : { kind: "start", sessionId: waiting.id };
  }
  const isOver = oldest.state === "running" && !oldest.unfinished && oldest.resultShown;
  if (playing.length > 1 || isOver) return { kind: "stop", sessionId: oldest.id };
  if (!oldest.active && !others.active) return { kind: "activate", sessionId: oldest.id };
  return { kind: "wait" };
}

/** Makes the next move of the rehearsal, if there is one. With several workers, one of them makes it. */
export async function stepRehearsal(deps: Deps): Promise<void> {
  if ((await findMove(deps.pool.db)).kind === "wait") return;
  await inTransaction(deps.pool.db, async (tx) => {
    const [lock] = await tx.execute(sql`SELECT pg_try_advisory_xact_lock(${REHEARSAL_LOCK}::int) AS held`);
    if (lock?.["held"] !== true) return;
    await makeMove(deps, await findMove(tx));
  });
}

async function makeMove(deps: Deps, move: RehearsalMove): Promise<void> {
  if (move.kind === "wait") return;
  if (move.kind === "begin") return begin(deps);
  const order = { sessionId: move.sessionId, actor: null };
  if (move.kind === "start") await start(deps, order);
  else if (move.kind === "stop") await stopSession(deps, order);
  else await activateSession(deps, order);
}

async function begin(deps: Deps): Promise<void> {
  const blueprintId = await findBlueprintId(deps.pool.db, rehearsalBlueprint.name);
  // An admin who has deleted the blueprint wants no rehearsal.
  if (blueprintId === null) return;
  const { id } = await generateSession(deps, { blueprintId, rehearsal: true });
  await start(deps, { sessionId: id, actor: null });
}

/** Players can read the first question before it opens, as in a session that a host starts. */
function start(deps: Deps, order: SessionCommand): Promise<unknown> {
  return startSession(deps, { ...order, inSeconds: REHEARSAL_LEAD_SECONDS });
}

async function findMove(db: Queryable): Promise<RehearsalMove> {
  const unfinished = inArray(events.state, ["draft", "visible", "open", "closed"]);
  const resultShown = sql`coalesce(max(${events.resolvedAt}) < game_now() - make_interval(secs => ${RESULT_SHOWN_SECONDS}), true)`;
  const rows = await db
    .select({
      id: sessions.id,
      state: sessions.state,
      active: sessions.active,
      rehearsal: sessions.rehearsal,
      unfinished: sql<boolean>`${count(sql`CASE WHEN ${unfinished} THEN 1 END`)} > 0`,
      resultShown: sql<boolean>`${resultShown}`,
    })
    .from(sessions)
    .leftJoin(events, eq(events.sessionId, sessions.id))
    .where(or(eq(sessions.active, true), and(eq(sessions.rehearsal, true), ne(sessions.state, "stopped"))))
    .groupBy(sessions.id)
    .orderBy(asc(sessions.id));
  const rehearsals = rows.filter((row) => row.rehearsal);
  return chooseMove(rehearsals, { active: rows.some((row) => row.active && !row.rehearsal) });
}
