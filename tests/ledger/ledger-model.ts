import type { StakedCall } from "#src/play/calls/compute-payouts.ts";
import { computePayouts } from "./compute-payouts.ts";
import type { Result } from "./fixtures.ts";

type ModelCall = StakedCall & { player: number; event: number; active: boolean };

/**
 * A model of the ledger with plain sums: each player's deposits, the active calls, and the payouts of the results in force.
 */
export class LedgerModel {
  readonly #addedCents: number[];
  readonly #results = new Map<number, Result>();
  #calls: ModelCall[] = [];

  constructor(startsCents: readonly number[]) {
    this.#addedCents = [...startsCents];
  }

  addCents(player: number, amountCents: number): void {
    this.#addedCents[player] = (this.#addedCents[player] ?? 0) + amountCents;
  }

  place(call: Omit<ModelCall, "active" | "placedAtUs">): void {
    this.#calls.push({ ...call, active: true, placedAtUs: 0 });
  }

  cancel(callId: number): void {
    this.#calls = this.#calls.filter((call) => call.callId !== callId);
  }

  /** Decides an event, or corrects its result. */
  settle(event: number, result: Result): void {
    this.#results.set(event, result);
    for (const call of this.#calls) if (call.event === event) call.active = false;
  }

  /** Removes all calls of an event. */
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
  netCents(player: number): number {
    let cents = this.#addedCents[player] ?? 0;
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
