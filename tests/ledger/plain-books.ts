import type { StakedCall } from "#src/calls/compute-payouts.ts";
import { computePayouts } from "./compute-payouts.ts";
import type { Result } from "./stage.ts";

type PlainCall = StakedCall & { player: number; event: number; active: boolean };

/**
 * The same money as the ledger moves, with nothing but sums: who has brought how much, whose calls are still open, and what
 * the standing results pay.
 */
export class PlainBooks {
  readonly #broughtCents: number[];
  readonly #results = new Map<number, Result>();
  #calls: PlainCall[] = [];

  constructor(startsCents: readonly number[]) {
    this.#broughtCents = [...startsCents];
  }

  bring(player: number, amountCents: number): void {
    this.#broughtCents[player] = (this.#broughtCents[player] ?? 0) + amountCents;
  }

  place(call: Omit<PlainCall, "active" | "placedAtUs">): void {
    this.#calls.push({ ...call, active: true, placedAtUs: 0 });
  }

  takeBack(callId: number): void {
    this.#calls = this.#calls.filter((call) => call.callId !== callId);
  }

  /** Decides an event, or decides otherwise. */
  decide(event: number, result: Result): void {
    this.#results.set(event, result);
    for (const call of this.#calls) if (call.event === event) call.active = false;
  }

  /** As if nobody had ever called on it. */
  reset(event: number): void {
    this.#results.delete(event);
    this.#calls = this.#calls.filter((call) => call.event !== event);
  }

  /** What a player's open calls hold, in cents. */
  heldCents(player: number): number {
    const open = this.#calls.filter((call) => call.player === player && call.active);
    return open.reduce((sum, { wagerCents }) => sum + wagerCents, 0);
  }

  /** What a player has, less what the player owes, in cents. */
  worthCents(player: number): number {
    let cents = this.#broughtCents[player] ?? 0;
    for (const [event, result] of this.#results) {
      const ofEvent = this.#calls.filter((call) => call.event === event);
      const payouts = computePayouts(ofEvent, { result, effectiveAtUs: null });
      for (const { callId, wagerCents } of ofEvent.filter((call) => call.player === player)) {
        cents += (payouts.get(callId)?.payoutCents ?? 0) - wagerCents;
      }
    }
    return cents;
  }
}
