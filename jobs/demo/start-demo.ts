import { once } from "node:events";
import { and, asc, count, eq, inArray, ne, or, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { inTransaction, type Queryable } from "#db/client.ts";
import { grantPlayMoney } from "#db/ledger/grant-play-money.ts";
import { ROBOT_ALLOWANCE_CENTS } from "#db/lists/limits.ts";
import { events, spots } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { REHEARSAL_LEAD_SECONDS, rehearsalBlueprint } from "#db/seeds/blueprints.ts";
import { demoLines } from "#db/seeds/chat.ts";
import { type DemoRobot, demoRobots } from "#db/seeds/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { createRandom } from "#src/base/random.ts";
import { Refusal, unrefused } from "#src/base/refusal.ts";
import { notePresence } from "#src/live/cable/presence-counter.ts";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import { createMessage } from "#src/play/chat/create-message.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import { activateSession } from "#src/show/sessions/activate-session.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import type { SessionCommand } from "#src/show/sessions/with-session.ts";
import { findBlueprintId } from "./seed-blueprints.ts";
import { findRobotIds } from "./seed-players.ts";

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

type Side = "true" | "false";
type OpenEvent = {
  key: string;
  id: number;
  sessionId: number;
  openedForMs: number;
  closesInMs: number;
  spots: Record<Side, { id: number; poolCents: number }>;
};

const SECOND_CALL_CHANCE = 0.3;
const LATE_CHANCE = 0.03;
const LATE_BY_MS_MAX = 400;
const CANCEL_CHANCE = 0.05;
const CANCEL_AFTER_MS = 2_500;
/** The shortest time to read a question. */
const READING_MS = 900;
/** An exponent below 1 moves calls towards the end of the event. */
const LATENESS_EXPONENT = 0.75;

/** How many events get a message of a robot; few enough for people to be read. */
const MESSAGE_CHANCE = 0.4;

/**
 * The demo's robots. They play through the same verbs as all players. Times and wagers depend only on the event and the
 * robot. So two workers, or a restarted one, plan the same calls under the same idempotency keys, and each is placed once.
 */
export class Robots {
  readonly #deps: Deps;
  #ids: Map<string, number> | null = null;
  #open = new Map<string, OpenEvent>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #acting = new Set<Promise<void>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Reads the open events, and plans the robots' actions on the new ones. */
  async planNewEvents(): Promise<void> {
    const known = this.#open;
    this.#open = new Map((await findOpenEvents(this.#deps)).map((event) => [event.key, event]));
    const fresh = [...this.#open.values()].filter((event) => !known.has(event.key));
    if (fresh.length === 0) return;
    this.#ids ??= await findRobotIds(this.#deps.pool.db);
    for (const event of fresh) this.#plan(event);
  }

  /** Drops all planned actions and waits for the running ones. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    await Promise.all(this.#acting);
  }

  #plan(event: OpenEvent): void {
    const durationMs = event.openedForMs + event.closesInMs;
    for (const robot of demoRobots) {
      const userId = this.#ids?.get(robot.username);
      if (userId === undefined) continue;
      for (const move of planMoves(robot, { key: event.key, durationMs })) {
        const inMs = move.afterMs - event.openedForMs;
        if (inMs >= 0) this.#schedule(inMs, () => this.#placeCall(event, userId, move));
      }
    }
    const message = planMessage({ key: event.key, durationMs });
    const inMs = message === null ? -1 : message.afterMs - event.openedForMs;
    if (message !== null && inMs >= 0) this.#schedule(inMs, () => this.#sendMessage(event, message));
  }

  #schedule(inMs: number, work: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const acting = work().catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, "an action of a robot failed"),
      );
      this.#acting.add(acting);
      void acting.finally(() => this.#acting.delete(acting));
    }, inMs);
    this.#timers.add(timer);
  }

  async #placeCall(event: OpenEvent, userId: number, move: RobotMove): Promise<void> {
    const side = chooseSide(this.#open.get(event.key) ?? event, move);
    const viewer = { id: userId };
    const call = { viewer, spotId: event.spots[side].id, wagerCents: move.wagerCents };
    try {
      const { callId } = await placeCall(this.#deps, {
        ...call,
        idempotencyKey: `robot-${event.key}-${move.nth}`,
      });
      await notePresence(this.#deps, { sessionId: event.sessionId, userId });
      const { cancelAfterMs } = move;
      if (cancelAfterMs === null) return;
      this.#schedule(cancelAfterMs, () => unrefused(cancelCall(this.#deps, { viewer, callId })));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Too late, or placed already by another worker: nothing to do. Without money: it gets an allowance.
      if (error.code === "insufficient_balance") await this.#grantAllowance(event, userId);
    }
  }

  async #sendMessage({ key, sessionId }: OpenEvent, { username, body }: RobotMessage): Promise<void> {
    const id = this.#ids?.get(username);
    if (id === undefined) return;
    const message = {
      viewer: { id, guest: false, roles: [], hostOf: [] },
      sessionId: String(sessionId),
      body,
    };
    // Muted, or in slow mode: the message is left out.
    await unrefused(createMessage(this.#deps, { ...message, clientId: `robot-${key}` }));
  }

  async #grantAllowance(event: OpenEvent, userId: number): Promise<void> {
    await grantPlayMoney(this.#deps.pool.db, {
      userId,
      amountCents: ROBOT_ALLOWANCE_CENTS,
      idempotencyKey: `robot-${userId}-${event.key}`,
      reason: "Allowance",
    });
    this.#deps.notifyRelay();
  }
}

/** The planned side, or the smaller pool for a robot that prefers it. */
function chooseSide(event: OpenEvent, { prefersSmallerPool, preferredSide }: RobotMove): Side {
  const difference = event.spots.true.poolCents - event.spots.false.poolCents;
  if (!prefersSmallerPool || difference === 0) return preferredSide;
  return difference > 0 ? "false" : "true";
}

async function findOpenEvents({ pool }: Deps): Promise<OpenEvent[]> {
  const since = (moment: AnyPgColumn) =>
    sql<number>`(extract(epoch FROM game_now() - ${moment}) * 1000)::float8`;
  const rows = await pool.db
    .select({
      id: events.id,
      sessionId: sessions.id,
      round: events.round,
      openedForMs: since(events.openedAt),
      closedForMs: since(events.closesAt),
      side: spots.side,
      spotId: spots.id,
      poolCents: spots.poolCents,
    })
    .from(sessions)
    .innerJoin(events, and(eq(events.sessionId, sessions.id), eq(events.state, "open")))
    .innerJoin(spots, eq(spots.eventId, events.id))
    .where(and(eq(sessions.rehearsal, true), eq(sessions.state, "running")));
  return [...Map.groupBy(rows, (row) => row.id).values()].flatMap((both) => {
    const yes = both.find((row) => row.side === "true");
    const no = both.find((row) => row.side === "false");
    if (yes === undefined || no === undefined) return [];
    return [
      {
        key: `${yes.id}-${yes.round}`,
        id: yes.id,
        sessionId: yes.sessionId,
        openedForMs: yes.openedForMs,
        closesInMs: -yes.closedForMs,
        spots: {
          true: { id: yes.spotId, poolCents: yes.poolCents },
          false: { id: no.spotId, poolCents: no.poolCents },
        },
      },
    ];
  });
}

type RobotMove = {
  /** 1 for its first call on the event. */
  nth: number;
  /** After the event opened; for a late robot a little after it closed. */
  afterMs: number;
  wagerCents: number;
  /** It calls the side with the smaller pool at that time. */
  prefersSmallerPool: boolean;
  /** The side that it calls otherwise. */
  preferredSide: "true" | "false";
  /** It cancels the call after this time; null: never. */
  cancelAfterMs: number | null;
};

/**
 * Plans the calls of a robot on an event, always the same for the same robot and event. All robots together prefer one side,
 * which changes from event to event, so that the pools differ.
 */
export function planMoves(robot: DemoRobot, event: { key: string; durationMs: number }): RobotMove[] {
  const trueSideChance = 0.3 + 0.4 * createRandom(`favour of ${event.key}`).roll();
  const dice = createRandom(`${robot.username} at ${event.key}`);
  if (!dice.chance(robot.keenness)) return [];
  const calls = dice.chance(SECOND_CALL_CHANCE) ? 2 : 1;
  return Array.from({ length: calls }, (_, index) => {
    const late = dice.chance(LATE_CHANCE);
    const playableMs = event.durationMs - READING_MS;
    return {
      nth: index + 1,
      afterMs: late
        ? event.durationMs + dice.roll() * LATE_BY_MS_MAX
        : READING_MS + dice.roll() ** LATENESS_EXPONENT * playableMs,
      // Small wagers are more common than large ones.
      wagerCents: 100 * Math.ceil(dice.roll() ** 2 * robot.wagerMaxDollars + Number.EPSILON),
      prefersSmallerPool: dice.chance(robot.contrarian),
      preferredSide: dice.chance(trueSideChance) ? ("true" as const) : ("false" as const),
      cancelAfterMs: dice.chance(CANCEL_CHANCE) ? CANCEL_AFTER_MS : null,
    };
  });
}

/** A chat message that a robot plans to send. */
export type RobotMessage = { username: string; body: string; /** After the event opened. */ afterMs: number };

/** Plans the message of one robot about an event, always the same for the same event; null for most events. */
export function planMessage(event: { key: string; durationMs: number }): RobotMessage | null {
  const dice = createRandom(`small talk at ${event.key}`);
  if (!dice.chance(MESSAGE_CHANCE)) return null;
  const robot = demoRobots[dice.between(0, demoRobots.length - 1)];
  const body = demoLines[dice.between(0, demoLines.length - 1)];
  if (robot === undefined || body === undefined) return null;
  return { username: robot.username, body, afterMs: dice.roll() * event.durationMs };
}
