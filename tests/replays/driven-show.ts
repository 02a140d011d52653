import type { Deps } from "#src/base/deps.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import type { Relays } from "#tests/live/relay/relays.ts";
import { buildPlayer, buildAdmin, type BuiltUser, readSpots } from "#tests/support/build.ts";
import { stopClockAt } from "#tests/support/database.ts";
import { payNow } from "#tests/support/pay.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const SECOND_MS = 1_000;

type Act = (web: Deps) => Promise<unknown>;
type Wager = { player: number; eventId: number; side: "true" | "false"; wagerCents: number };

/** A show on a clock that moves only with its steps. After each step all of its messages have arrived. */
export class DrivenShow {
  readonly web: Deps;
  readonly sessionId: number;
  readonly admin: BuiltUser;
  readonly players: readonly BuiltUser[];
  readonly #relays: Relays;
  nowMs: number;

  private constructor(
    show: Pick<DrivenShow, "web" | "sessionId" | "admin" | "players" | "nowMs">,
    relays: Relays,
  ) {
    this.web = show.web;
    this.sessionId = show.sessionId;
    this.admin = show.admin;
    this.players = show.players;
    this.nowMs = show.nowMs;
    this.#relays = relays;
  }

  /** With four players and a host. */
  static async begin(
    web: Deps,
    relays: Relays,
    start: { sessionId: number; nowMs: number },
  ): Promise<DrivenShow> {
    const admin = await buildAdmin(web);
    const players = await Promise.all([1, 2, 3, 4].map(() => buildPlayer(web)));
    await relays.sendAndClear(web);
    return new DrivenShow({ web, admin, players, ...start }, relays);
  }

  /** Moves the clock, acts, and waits for these messages: "Event/resolve". */
  async after(seconds: number, act: Act, expected: readonly string[]): Promise<void> {
    this.nowMs += seconds * SECOND_MS;
    const now = new Date(this.nowMs);
    await stopClockAt(this.web.pool, now);
    await this.#liftLimits();
    await act(this.web);
    await payNow(this.web);
    this.web.notifyRelay();
    await this.#relays.allSent();
    await waitFor(`${expected.join(", ")} at ${now.toISOString()}`, () => {
      const sent = this.#relays.listener
        .session(this.sessionId)
        .filter(({ detail }) => detail.serverTime === now.toISOString())
        .map(({ sourceType, eventType }) => `${sourceType}/${eventType}`);
      return expected.every((name) => sent.includes(name));
    });
  }

  /** Places a call. @returns its id. */
  async place({ player, eventId, side, wagerCents }: Wager): Promise<number> {
    const viewer = this.player(player);
    const spotId = (await readSpots(this.web, eventId))[side].id;
    const call = { viewer, spotId, wagerCents, idempotencyKey: crypto.randomUUID() };
    return (await placeCall(this.web, call)).callId;
  }

  player(index: number): BuiltUser {
    const player = this.players[index];
    if (player === undefined) throw new Error(`there is no player ${index}`);
    return player;
  }

  /** Pools and leaders are limited by real time, of which little passes here. */
  async #liftLimits(): Promise<void> {
    const { redis } = this.web;
    const prefix = redis.options.keyPrefix ?? "";
    const keys = await redis.keys(`${prefix}cable:coalescer:*`);
    if (keys.length > 0) await redis.del(...keys.map((key) => key.slice(prefix.length)));
  }
}
