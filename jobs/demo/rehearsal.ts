import { and, asc, count, eq, inArray, ne, or, sql } from "drizzle-orm";
import { inTransaction, type Queryable } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { rehearsalBlueprint } from "#db/seeds/blueprints.ts";
import type { Deps } from "#src/base/deps.ts";
import { generateSession } from "#src/blueprints/generate-session.ts";
import { activateSession } from "#src/sessions/activate-session.ts";
import { startSession } from "#src/sessions/start-session.ts";
import { stopSession } from "#src/sessions/stop-session.ts";
import { findBlueprintId } from "./seed-blueprints.ts";

/** Two workers must not both begin the next rehearsal: who makes a move holds this. */
const REHEARSAL_GATE = 7702;
/** How long the last result stays on the screen. */
const APPLAUSE_SECONDS = 8;

/** A rehearsal that is not over. */
export type Rehearsal = {
  id: number;
  state: "pending" | "running" | "paused" | "stopped";
  active: boolean;
  /** Something of it is still to come. */
  unfinished: boolean;
  /** Its last result has been on the screen for long enough. */
  applauded: boolean;
};

export type RehearsalMove =
  | { kind: "begin" }
  | { kind: "start" | "stop" | "activate"; sessionId: number }
  | { kind: "wait" };

/**
 * What comes next, so that exactly one rehearsal plays: an older one beside it stops, one that is over stops and the next
 * begins. It becomes the active session when it starts, and again once nobody else's session is active; it never takes the
 * flag from another session. A paused one waits for whoever paused it.
 * @param rehearsals those that are not stopped, oldest first.
 */
export function chooseMove(rehearsals: readonly Rehearsal[], others: { active: boolean }): RehearsalMove {
  const playing = rehearsals.filter(({ state }) => state === "running" || state === "paused");
  const [oldest] = playing;
  if (oldest === undefined) {
    const waiting = rehearsals.at(-1);
    return waiting === undefined ? { kind: "begin" } : { kind: "start", sessionId: waiting.id };
  }
  const isOver = oldest.state === "running" && !oldest.unfinished && oldest.applauded;
  if (playing.length > 1 || isOver) return { kind: "stop", sessionId: oldest.id };
  if (!oldest.active && !others.active) return { kind: "activate", sessionId: oldest.id };
  return { kind: "wait" };
}

/** Makes the rehearsal's next move, if there is one; with several workers one of them does. */
export async function stepRehearsal(deps: Deps): Promise<void> {
  if ((await findMove(deps.pool.db)).kind === "wait") return;
  await inTransaction(deps.pool.db, async (tx) => {
    const [gate] = await tx.execute(sql`SELECT pg_try_advisory_xact_lock(${REHEARSAL_GATE}::int) AS held`);
    if (gate?.["held"] !== true) return;
    await makeMove(deps, await findMove(tx));
  });
}

async function makeMove(deps: Deps, move: RehearsalMove): Promise<void> {
  if (move.kind === "wait") return;
  if (move.kind === "begin") return begin(deps);
  const order = { sessionId: move.sessionId, actor: null };
  if (move.kind === "start") await startSession(deps, order);
  else if (move.kind === "stop") await stopSession(deps, order);
  else await activateSession(deps, order);
}

async function begin(deps: Deps): Promise<void> {
  const blueprintId = await findBlueprintId(deps.pool.db, rehearsalBlueprint.name);
  // Whoever has removed the blueprint wants no rehearsal.
  if (blueprintId === null) return;
  const { id } = await generateSession(deps, { blueprintId, rehearsal: true });
  await startSession(deps, { sessionId: id, actor: null });
}

async function findMove(db: Queryable): Promise<RehearsalMove> {
  const toCome = inArray(events.state, ["draft", "visible", "open", "closed"]);
  const applause = sql`coalesce(max(${events.resolvedAt}) < game_now() - make_interval(secs => ${APPLAUSE_SECONDS}), true)`;
  const rows = await db
    .select({
      id: sessions.id,
      state: sessions.state,
      active: sessions.active,
      rehearsal: sessions.rehearsal,
      unfinished: sql<boolean>`${count(sql`CASE WHEN ${toCome} THEN 1 END`)} > 0`,
      applauded: sql<boolean>`${applause}`,
    })
    .from(sessions)
    .leftJoin(events, eq(events.sessionId, sessions.id))
    .where(or(eq(sessions.active, true), and(eq(sessions.rehearsal, true), ne(sessions.state, "stopped"))))
    .groupBy(sessions.id)
    .orderBy(asc(sessions.id));
  const rehearsals = rows.filter((row) => row.rehearsal);
  return chooseMove(rehearsals, { active: rows.some((row) => row.active && !row.rehearsal) });
}
