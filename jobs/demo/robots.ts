import { and, eq, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { grantPlayMoney } from "#db/ledger/grant-play-money.ts";
import { ROBOT_ALLOWANCE_CENTS } from "#db/lists/limits.ts";
import { events, spots } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { demoLines } from "#db/seeds/chat.ts";
import { type DemoRobot, demoRobots } from "#db/seeds/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { createRandom } from "#src/base/random.ts";
import { Refusal } from "#src/base/refusal.ts";
import { notePresence } from "#src/live/cable/presence-counter.ts";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import { createMessage } from "#src/play/chat/create-message.ts";
import { findRobotIds } from "./seed-players.ts";

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
      if (cancelAfterMs !== null) this.#schedule(cancelAfterMs, () => this.#cancelCall(viewer, callId));
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
    try {
      await createMessage(this.#deps, { ...message, clientId: `robot-${key}` });
    } catch (error) {
      // Muted, or in slow mode: the message is left out.
      if (!(error instanceof Refusal)) throw error;
    }
  }

  async #cancelCall(viewer: { id: number }, callId: number): Promise<void> {
    try {
      await cancelCall(this.#deps, { viewer, callId });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
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
