import { and, eq, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { grantPlayMoney } from "#db/ledger/grant-play-money.ts";
import { events, spots } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { demoRobots } from "#db/seeds/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { cancelCall } from "#src/calls/cancel-call.ts";
import { placeCall } from "#src/calls/place-call.ts";
import { createMessage } from "#src/chat/create-message.ts";
import { planLine, type RobotLine } from "./plan-line.ts";
import { planMoves, type RobotMove } from "./plan-moves.ts";
import { findRobotIds } from "./seed-players.ts";

const ALLOWANCE_CENTS = 5_000;

type Side = "true" | "false";
/** An event of the rehearsal that takes calls now. */
type OpenEvent = {
  key: string;
  id: number;
  sessionId: number;
  openedForMs: number;
  closesInMs: number;
  spots: Record<Side, { id: number; poolCents: number }>;
};

/**
 * The demo's robots. They play through the same verbs as everybody, at moments and with wagers that depend on the event and
 * the robot alone: two workers, or one that starts again, plan the same calls under the same keys, and each is placed once.
 */
export class Robots {
  readonly #deps: Deps;
  #ids: Map<string, number> | null = null;
  #open = new Map<string, OpenEvent>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #moving = new Set<Promise<void>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Looks at what is open, and plans what the robots do on what is new. */
  async look(): Promise<void> {
    const known = this.#open;
    this.#open = new Map((await findOpenEvents(this.#deps)).map((event) => [event.key, event]));
    const fresh = [...this.#open.values()].filter((event) => !known.has(event.key));
    if (fresh.length === 0) return;
    this.#ids ??= await findRobotIds(this.#deps.pool.db);
    for (const event of fresh) this.#plan(event);
  }

  /** Forgets what was planned and waits for what is being done. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    await Promise.all(this.#moving);
  }

  #plan(event: OpenEvent): void {
    const durationMs = event.openedForMs + event.closesInMs;
    for (const robot of demoRobots) {
      const userId = this.#ids?.get(robot.username);
      if (userId === undefined) continue;
      for (const move of planMoves(robot, { key: event.key, durationMs })) {
        const inMs = move.afterMs - event.openedForMs;
        if (inMs >= 0) this.#later(inMs, () => this.#play(event, userId, move));
      }
    }
    const line = planLine({ key: event.key, durationMs });
    const inMs = line === null ? -1 : line.afterMs - event.openedForMs;
    if (line !== null && inMs >= 0) this.#later(inMs, () => this.#say(event, line));
  }

  #later(inMs: number, work: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const moving = work().catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, "a robot stumbled"),
      );
      this.#moving.add(moving);
      void moving.finally(() => this.#moving.delete(moving));
    }, inMs);
    this.#timers.add(timer);
  }

  async #play(event: OpenEvent, userId: number, move: RobotMove): Promise<void> {
    const side = chooseSide(this.#open.get(event.key) ?? event, move);
    const viewer = { id: userId };
    const call = { viewer, spotId: event.spots[side].id, wagerCents: move.wagerCents };
    try {
      const { callId } = await placeCall(this.#deps, {
        ...call,
        idempotencyKey: `robot-${event.key}-${move.nth}`,
      });
      const { regretAfterMs } = move;
      if (regretAfterMs !== null) this.#later(regretAfterMs, () => this.#takeBack(viewer, callId));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Late, or placed already by the other worker: so be it. Broke: there is an allowance.
      if (error.code === "insufficient_balance") await this.#support(event, userId);
    }
  }

  async #say({ key, sessionId }: OpenEvent, { username, body }: RobotLine): Promise<void> {
    const id = this.#ids?.get(username);
    if (id === undefined) return;
    const speech = { viewer: { id, guest: false, roles: [] }, sessionId: String(sessionId), body };
    try {
      await createMessage(this.#deps, { ...speech, clientId: `robot-${key}` });
    } catch (error) {
      // Muted, or in slow mode: so be it.
      if (!(error instanceof Refusal)) throw error;
    }
  }

  async #takeBack(viewer: { id: number }, callId: number): Promise<void> {
    try {
      await cancelCall(this.#deps, { viewer, callId });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  async #support(event: OpenEvent, userId: number): Promise<void> {
    await grantPlayMoney(this.#deps.pool.db, {
      userId,
      amountCents: ALLOWANCE_CENTS,
      idempotencyKey: `robot-${userId}-${event.key}`,
      reason: "Allowance",
    });
    this.#deps.notifyRelay();
  }
}

/** The crowd's favourite of the event, unless the robot prefers the smaller pool. */
function chooseSide(event: OpenEvent, { contrary, whim }: RobotMove): Side {
  const difference = event.spots.true.poolCents - event.spots.false.poolCents;
  if (!contrary || difference === 0) return whim;
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
